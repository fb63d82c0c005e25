/** One option of a command: a flag, or a value that is named in the help. */
export type OptionSpec = {
  /** Placeholder of the value; absent for a flag. */
  readonly value?: string
  /** True if the option can be given several times. */
  readonly isMultiple?: true
  /** The only values that are taken. */
  readonly choices?: readonly string[]
  readonly about: string
}

/** One command as it is declared: what it is for, what may stand after its name, and its options. */
export type CommandSpec = {
  /** One line, a verb in the third person. */
  readonly about: string
  /** Heading under which `hailstone help` lists it. */
  readonly group: string
  /** Placeholder of the word after the command: `<NAME>` is required, `[NAME]` is not. */
  readonly argument?: string
  /** Options by their name in camelCase; on the command line `keyFile` is `--key-file`. */
  readonly options: { readonly [name: string]: OptionSpec }
}

const everywhere = {
  json: { about: 'print JSON: one object on each line' },
  data: { value: 'DIR', about: 'folder of locks and journals (default: ~/.hailstone)' },
} as const

const config = {
  config: { value: 'FILE', about: 'settings in TOML or JSON; flags and the environment win over them' },
} as const

const network = {
  network: {
    value: 'NAME',
    about: 'network to use; there is no default',
    choices: ['pulse', 'bit', 'local'],
  },
  api: { value: 'URL', isMultiple: true, about: 'API node; can be given several times' },
  gateway: { value: 'URL', isMultiple: true, about: 'mining gateway; can be given several times' },
  bootNode: { value: 'URL', isMultiple: true, about: 'boot node, which names a gateway' },
  allowInsecure: { about: 'allow plain http to other machines' },
  requireEncryption: { about: 'refuse http: and ws: to other machines' },
} as const

const { gateway: _gateway, bootNode: _bootNode, ...api } = network

const query = { json: everywhere.json, ...api } as const

const key = {
  keyFile: { value: 'FILE', about: 'keystore, or one line of hex; mode 600' },
  keyStdin: { about: 'read one line of hex from standard input' },
  passwordFile: { value: 'FILE', about: 'password of the keystore (default: it is asked for)' },
} as const

const healthToken = {
  healthTokenFile: {
    value: 'FILE',
    about: 'token of the health requests, one line; mode 600',
  },
} as const

const health = {
  healthPort: {
    value: 'PORT',
    about: 'serve /livez, /readyz, /health, /status and /metrics on 127.0.0.1; 0 takes any port',
  },
  healthListen: {
    value: 'HOST:PORT',
    about: 'serve them at another address of this machine; needs a token if others can reach it',
  },
  ...healthToken,
  healthAllowHost: {
    value: 'NAME',
    isMultiple: true,
    about: 'name under which health is asked for, besides localhost; can be given several times',
  },
} as const

const mining = {
  token: { value: 'ID', about: 'token to mine (default: the native token)' },
  agent: { value: 'CODE', about: 'who invited you: ref_… or an address' },
  blockTime: { value: 'TIME', about: 'time between blocks (default: 15s)' },
  onDuplicateKey: {
    value: 'WORD',
    about: 'when another device mines with this key: wait and come back, or stop (default: wait)',
    choices: ['stop', 'wait'],
  },
  leader: {
    value: 'WORD',
    about: "how leaders' signatures count: verify those that come, or require them (default: verify)",
    choices: ['verify', 'require'],
  },
  ...health,
} as const

const payout = {
  payoutTo: {
    value: 'ADDRESS',
    about: 'pay what is above --payout-above to this address (default: nothing)',
  },
  payoutAbove: {
    value: 'COINS',
    about: 'coins that stay in the account; the minimum stake stays in any case',
  },
  payoutLeast: { value: 'COINS', about: 'smallest payout; all are multiples of it (default: 10)' },
  payoutMost: { value: 'COINS', about: 'largest payout (default: all that is above)' },
  payoutEvery: { value: 'TIME', about: 'at most one payout in each 1h to 366d (default: 1d)' },
  payoutConfirm: { about: 'confirm the address of --payout-to, without being asked at a terminal' },
} as const

const newKey = {
  out: { value: 'FILE', about: 'new file for the key' },
  plain: { about: 'store the key as hex, not encrypted' },
  passwordFile: { value: 'FILE', about: 'password of the new keystore (default: it is asked for)' },
} as const

const account = { value: 'ADDRESS', about: 'account to read; no key is needed' } as const
const tokenOption = { value: 'ID', about: 'token id (default: the native token)' } as const

const namedTokenOption = { value: 'ID or SYMBOL', about: 'token (default: the native token)' } as const

/** Every command with its options. A command refuses whatever it does not list. */
export const commands = {
  mine: {
    about: 'Mines with one key until Ctrl-C',
    group: 'Mining:',
    options: {
      ...network,
      ...key,
      ...mining,
      ...payout,
      mineBelowStake: { about: 'mine although the balance is below the minimum stake' },
      supervise: { about: 'start the miner again when it dies' },
      ...config,
      ...everywhere,
    },
  },
  fleet: {
    about: 'Mines with many keys in one process',
    group: 'Mining:',
    options: {
      ...network,
      keysFile: { value: 'FILE', about: 'one key on each line; mode 600' },
      ...mining,
      ...payout,
      mineBelowStake: { about: 'mine also with balances below the minimum stake' },
      threads: { value: 'N', about: 'number of signing threads' },
      ...config,
      ...everywhere,
    },
  },
  status: {
    about: 'Shows what runs on this machine, since when, and whether it is ready',
    group: 'Mining:',
    options: {
      healthPort: { value: 'PORT', about: 'ask this health port only' },
      ...healthToken,
      ...everywhere,
    },
  },
  health: {
    about: 'Asks a miner, fleet or bridge whether it is ready: ends with 0, 9 or 8',
    group: 'Mining:',
    argument: '[URL]',
    options: {
      json: everywhere.json,
      ...healthToken,
      allowInsecure: { about: 'allow plain http to machines of the internet' },
    },
  },
  doctor: {
    about: 'Finds out why a miner earns nothing',
    group: 'Mining:',
    options: {
      ...network,
      ...key,
      address: account,
      keysFile: { value: 'FILE', about: 'keys of a fleet: look at the stakes of all accounts' },
      token: mining.token,
      agent: mining.agent,
      strict: { about: 'end with an error code for warnings too' },
      ...everywhere,
    },
  },
  why: {
    about: 'Explains what decides how much an account earns',
    group: 'Mining:',
    argument: '[ADDRESS]',
    options: {
      ...query,
      ...key,
      ...healthToken,
      token: namedTokenOption,
      agent: { ...mining.agent, about: 'who invited it (default: whom its newest microblocks name)' },
      data: everywhere.data,
    },
  },
  'wallet new': {
    about: 'Creates an account and stores its key',
    group: 'Accounts and payments:',
    options: { ...newKey, json: everywhere.json },
  },
  'wallet import': {
    about: 'Stores a key or recovery phrase that is piped in or typed',
    group: 'Accounts and payments:',
    options: { ...newKey, json: everywhere.json },
  },
  'wallet show': {
    about: 'Shows the address that a key file belongs to',
    group: 'Accounts and payments:',
    options: { keyFile: key.keyFile, json: everywhere.json },
  },
  'wallet export': {
    about: 'Writes the key as hex',
    group: 'Accounts and payments:',
    options: {
      ...key,
      out: { value: 'FILE', about: 'new file for the key' },
      reveal: { about: 'print the key on standard output' },
      json: everywhere.json,
    },
  },
  send: {
    about: 'Makes a payment',
    group: 'Accounts and payments:',
    options: {
      ...api,
      ...key,
      to: { value: 'ADDRESS', about: 'receiver' },
      amount: { value: 'COINS', about: 'amount in coins; the fee is taken from it' },
      token: { ...namedTokenOption, about: 'token to pay in (default: the native token)' },
      memo: { value: 'TEXT', about: 'text that goes with the payment' },
      newerData: { about: 'the nodes of this network take + and = in it' },
      maxFee: {
        value: 'COINS',
        about: 'highest fee that is accepted (default: 1 % of the amount or 1 coin; with --yes 0.1 coin)',
      },
      idempotencyKey: {
        value: 'TEXT',
        about: 'your own name for the payment: asked for twice, it is paid once',
      },
      acceptLost: {
        about: 'pay although the journal is an old copy or damaged; look at the history first',
      },
      yes: { about: 'do not ask for confirmation' },
      resume: { about: 'settle the payments that were left open' },
      ...config,
      ...everywhere,
    },
  },
  faucet: {
    about: 'Requests test coins, where the network gives any',
    group: 'Accounts and payments:',
    argument: '[ADDRESS]',
    options: {
      ...query,
      ...key,
      token: { ...namedTokenOption, about: 'token to be mined (default: the native token)' },
      as: {
        value: 'WORD',
        about: 'whose stake it is: that of an agent is higher (default: miner)',
        choices: ['miner', 'agent'],
      },
    },
  },
  balance: {
    about: 'Shows the balance of an account',
    group: 'Questions:',
    argument: '[ADDRESS]',
    options: { ...query, ...key, token: namedTokenOption },
  },
  tx: {
    about: 'Shows a transaction',
    group: 'Questions:',
    argument: '<HASH>',
    options: query,
  },
  token: {
    about: 'Shows a token',
    group: 'Questions:',
    argument: '[ID or SYMBOL]',
    options: query,
  },
  block: {
    about: 'Shows a macroblock',
    group: 'Questions:',
    argument: '<HEIGHT or HASH>',
    options: query,
  },
  latest: {
    about: 'Lists the latest transactions',
    group: 'Questions:',
    options: { ...query, limit: { value: 'N', about: 'number of transactions (default: 10)' } },
  },
  pool: {
    about: 'Shows how many transactions wait for a block',
    group: 'Questions:',
    options: query,
  },
  'watch balance': {
    about: 'Prints every change of a balance',
    group: 'Questions:',
    argument: '[ADDRESS]',
    options: { ...query, ...key, address: account, token: tokenOption },
  },
  'watch rewards': {
    about: 'Prints every reward, once and in order',
    group: 'Questions:',
    argument: '[ADDRESS]',
    options: {
      ...query,
      ...key,
      address: account,
      from: { value: 'PLACE', about: 'first, now, or the number of a reward (default: now)' },
    },
  },
  bridge: {
    about: 'Relays between https pages and ws gateways',
    group: 'Service:',
    options: {
      upstream: {
        value: 'URL',
        isMultiple: true,
        about: 'gateway to relay to; can be given several times',
      },
      listen: { value: 'HOST:PORT', about: 'where the bridge listens (default: 127.0.0.1:4430)' },
      origin: {
        value: 'ORIGIN',
        isMultiple: true,
        about: 'page that may use it; can be given several times (default: any)',
      },
      tlsCert: { value: 'FILE', about: 'certificate in PEM; without it something in front adds TLS' },
      tlsKey: { value: 'FILE', about: 'key of the certificate in PEM' },
      behindProxy: { about: "take the client's address from x-forwarded-for" },
      maxSessions: { value: 'N', about: 'sessions in all (default: 4000)' },
      maxPerAddress: { value: 'N', about: 'sessions for each address (default: 64)' },
      ...health,
      ...config,
      ...everywhere,
    },
  },
  'config check': {
    about: 'Looks at a configuration file without starting anything',
    group: 'Service:',
    argument: '<FILE>',
    options: { json: everywhere.json },
  },
  'config schema': {
    about: 'Prints the JSON Schema of configuration files',
    group: 'Service:',
    options: {},
  },
  completion: {
    about: 'Prints the completion script of a shell',
    group: 'Service:',
    argument: '<SHELL>',
    options: {},
  },
} as const satisfies Record<string, CommandSpec>

export type CommandName = keyof typeof commands
