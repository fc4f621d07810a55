# Completion of ply's commands and options for bash. It asks ply itself, so it
# knows what this ply knows.
_ply() {
  local cur=${COMP_WORDS[COMP_CWORD]} ply=${COMP_WORDS[0]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$("$ply" --help 2>/dev/null |
      sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
  elif [[ $cur == -* ]]; then
    words=$("$ply" "${COMP_WORDS[1]}" --help 2>/dev/null |
      grep -oE -- '--[a-z][a-z-]*' | sort -u)
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case ${COMP_WORDS[1]} in
    admin | account | script | tournament)
      words=$("$ply" "${COMP_WORDS[1]}" --help 2>/dev/null |
        sed -n 's/^  \([a-z][a-z-]*\)  *.*/\1/p') ;;
    *)
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      return ;;
    esac
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _ply ply
