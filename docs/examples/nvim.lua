-- SPDX-License-Identifier: MIT
-- A bot for plyd in Neovim, whose built-in MessagePack-RPC client speaks to the
-- server as it is. Plays a match of random legal moves against a personality:
--
--     nvim --headless -u NONE -S docs/examples/nvim.lua 127.0.0.1:7531 english bold
--
-- It knows no TLS. To tls://HOST:PORT it speaks through `openssl s_client`.
-- Neovim shows no notifications of a server to a script, so this bot looks at the
-- match again and again instead. Of an error it learns only that there was one.
local server, ruleset, personality = unpack(vim.fn.argv())
local key = vim.fn.sha256(vim.fn.reltimestr(vim.fn.reltime()) .. vim.fn.getpid()):sub(1, 32)
local channel, token, match -- of the session; kept over lost connections
math.randomseed(vim.loop.hrtime())

local function say(...)
  io.stdout:write(table.concat({ ... }, ' '), '\n')
end

-- Asks the server and waits for the result; raises what goes wrong.
local function ask(method, params)
  return vim.rpcrequest(channel, method, params or vim.empty_dict())
end

-- What is not there is nil, also where the server says so.
local function known(value)
  if value ~= vim.NIL then return value end
end

-- A channel to the server; who it is is checked by the system's authorities, or
-- those of SSL_CERT_FILE.
local function dial()
  local host, port = server:match('^tls://(.+):(%d+)$')
  if not host then
    return vim.fn.sockconnect('tcp', server, { rpc = true })
  end
  return vim.fn.jobstart({ 'openssl', 's_client', '-quiet', '-verify_quiet',
    '-verify_return_error', '-verify_hostname', host, '-servername', host,
    '-connect', host .. ':' .. port }, { rpc = true, on_stderr = function(_, lines)
      say(unpack(lines))
    end })
end

-- Connects and says hello; with the token if there is one.
local function connect()
  channel = dial()
  local welcome = ask('hello', { protocol = 1, bot = true, token = token })
  token = welcome.token
  return welcome
end

-- Opens a lobby, which a personality joins at once; returns the match's id.
local function begin(welcome)
  if welcome.matches[1] then return welcome.matches[1] end
  local lobby = ask('lobby.create', {
    ruleset = ruleset, personality = personality, ready = true, key = key })
  say(lobby.match, 'begins')
  return lobby.match
end

-- What to do in a match: a method and its parameters, or nothing. To make the bot
-- yours, change the last line. It never doubles, and always takes.
local function decide(state)
  local awaits, moves = known(state.awaits), known(state.legal_moves)
  if state.state == 'nonces' then
    return 'match.nonce', { match = match, nonce = key }
  elseif known(state.turn) ~= state.you or not awaits then
    return
  elseif awaits == 'roll' or awaits == 'answer' then
    local method = awaits == 'roll' and 'match.roll' or 'match.take'
    return method, { match = match, ply = state.ply }
  end
  local move = moves[math.random(#moves)]
  return 'match.move', { match = match, ply = state.ply, move = move }
end

-- Plays the match to its end; returns its result.
local function follow()
  local state = ask('match.watch', { match = match })
  while not known(state.result) do
    local method, params = decide(state)
    if method then
      local good, why = pcall(ask, method, params)
      say(state.ply, params.move or method, good and '' or why)
    end
    vim.wait(method and 20 or 100)
    state = ask('match.get', { match = match })
  end
  return state.result
end

while true do
  local good, result = pcall(function()
    local welcome = connect()
    match = match or begin(welcome)
    return follow()
  end)
  if good then
    say('result:', result.result, result.reason)
    vim.cmd('qa!')
  end
  say('connection lost:', result) -- resume with the token
  vim.wait(500)
end
