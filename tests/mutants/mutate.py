"""Where one line of C can be made wrong, and how: a list of mutants.

Only the bodies of functions are changed, never a comment, a string, a
preprocessor line or an assertion. A mutant keeps the number of lines."""
import re
import typing


class Mutant(typing.NamedTuple):
    path: str  # relative to the source
    line: int
    start: int  # offsets in the file's text
    end: int
    old: str
    new: str
    kind: str


BLANKED = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|'
    r'^#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
BODY = re.compile(r"^\{\n(.*?)^\}$", re.S | re.M)
ASSERTION = re.compile(r"\bassert\s*\([^;]*;")

OPERATOR = re.compile(r"->|<<=|>>=|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|\+=|-=|"
                      r"\*=|/=|&=|\|=|\^=|[-+*/%<>&|^~!]")
SWAPS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "+=": ["-="], "-=": ["+="], "&=": ["|="], "|=": ["&="], "^=": ["|="],
    "++": ["--"], "--": ["++"], "~": [""], "!": [""],
}
KINDS = {"relation": "< <= > >= == !=", "logic": "&& || !"}
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*(?!\w))")
CONDITION = re.compile(r"\b(?:if|while)\s*\(")
RETURN = re.compile(r"\breturn\b\s*([^;]+);")
STATEMENT = re.compile(r"(?<=[;{})\n])\s*\n\t+((?:[a-z_*(+-])[^;{}]*;)")
KEPT = re.compile(r"(?:static|const|struct|enum|union|unsigned|int|"
                  r"bool|char|size_t|u?int\d+_t|uint64_t|case|default|goto|else|"
                  r"do\b|for|if|while|switch|_Static_assert)\b|[a-z_]+:")


def blank(text):
    """The text with all that is no code as spaces."""
    def spaces(found):
        return re.sub(r"[^\n]", " ", found.group(0))
    return ASSERTION.sub(spaces, BLANKED.sub(spaces, text))


def closing(code, at):
    """The offset of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i
    raise ValueError("a bracket is not closed")


def is_binary(code, at):
    """Whether an operator at this place has an operand before it."""
    before = code[:at].rstrip()
    return bool(before) and (before[-1].isalnum() or before[-1] in "_)]")


def is_declarator(code, at):
    """Whether * stands for a pointer's type: `struct move *m`."""
    line = code[code.rfind("\n", 0, at) + 1:at]
    return bool(re.search(r"(?:\b(?:struct|enum) \w+|\b\w+_t|\bchar|\bvoid|"
                          r"\bbool|\bint)\s*(?:const\s*)?\*?$", line))


def operators(code, start, end):
    for found in OPERATOR.finditer(code, start, end):
        old, at = found.group(0), found.start()
        if old in "*&-+" and (not is_binary(code, at) or
                              is_declarator(code, at)):
            continue
        kind = next((k for k, ops in KINDS.items() if old in ops.split()),
                    "arithmetic")
        for new in SWAPS.get(old, []):
            yield at, found.end(), new, kind


def numbers(code, start, end):
    for found in NUMBER.finditer(code, start, end):
        value = int(found.group(0), 0)
        for new in (value + 1, value - 1):
            yield found.start(), found.end(), f"{new}", "constant"


def conditions(code, start, end):
    for found in CONDITION.finditer(code, start, end):
        opened = found.end() - 1
        inner = code[opened + 1:closing(code, opened)]
        yield (opened + 1, opened + 1 + len(inner), f"!({inner})", "condition")


def returns(code, start, end):
    for found in RETURN.finditer(code, start, end):
        at, stop, value = found.start(1), found.end(1), found.group(1)
        if not value.strip():  # a string
            continue
        swapped = {"true": "false", "false": "true", "0": "1"}
        yield at, stop, swapped.get(value, "0"), "return"
        if value not in swapped:
            yield at, stop, f"!({value})", "return"


def statements(code, start, end):
    for found in STATEMENT.finditer(code, start, end):
        text, indent = found.group(1), found.start(1) - code.rfind(
            "\n", 0, found.start(1)) - 1
        last = text.startswith("return ") and indent == 1
        if not KEPT.match(text) and not last:
            yield found.start(1), found.end(1), ";", "deletion"


def mutants(path, text):
    """Every mutant of one file, in the order of the text."""
    code, found = blank(text), []
    for body in BODY.finditer(code):
        for make in (operators, numbers, conditions, returns, statements):
            for at, end, new, kind in make(code, body.start(1), body.end(1)):
                old = text[at:end]
                if kind in ("condition", "return"):
                    new = new.replace(code[at:end], old)
                found.append(Mutant(path, text.count("\n", 0, at) + 1, at, end,
                                    old, new + "\n" * old.count("\n")
                                    if kind == "deletion" or
                                    (kind == "return" and old not in new)
                                    else new, kind))
    return sorted(found, key=lambda m: (m.start, m.end, m.new))


def apply(text, mutant):
    assert text[mutant.start:mutant.end] == mutant.old
    return text[:mutant.start] + mutant.new + text[mutant.end:]
