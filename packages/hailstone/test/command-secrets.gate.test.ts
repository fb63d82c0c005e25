import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileKeystore, walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const key = sha256Hex('key of the secrets')
const wallet = walletFromPrivateKey(key)
const { address } = wallet
const USER = 65_532
const GROUP = 3_000

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-secrets-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

function run(
  words: readonly string[],
  {
    asUser = false,
    asRoot = false,
    environment = {},
    input = '',
  }: {
    asUser?: boolean
    /** With the group that a pod gives to its processes. */
    asRoot?: boolean
    environment?: Record<string, string>
    input?: string | Buffer
  } = {},
): Ended {
  const user = asUser
    ? [
        'setpriv',
        `--reuid=${USER}`,
        `--regid=${USER}`,
        `--groups=${GROUP}`,
        '--bounding-set=-all',
        '--inh-caps=-all',
      ]
    : asRoot
      ? ['setpriv', `--groups=${GROUP}`]
      : []
  const [program = '', ...rest] = [...user, process.execPath, bin, ...words]
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    HAILSTONE_DATA: join(folder, 'data'),
    ...environment,
  }
  const { status, stdout, stderr } = spawnSync(program, rest, { env, input, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

let files = 0
async function fileOf(content: string | Buffer, mode = 0o600): Promise<string> {
  const path = join(folder, `file-${files++}`)
  await writeFile(path, content)
  await chmod(path, mode)
  return path
}

const isRoot = process.getuid?.() === 0
const show = (path: string) => ['wallet', 'show', '--key-file', path, '--json']

describe.runIf(isRoot)('a secret that somebody else protects (users and groups)', () => {
  const shownTo = async (
    owner: number,
    group: number,
    mode: number,
    environment?: Record<string, string>,
  ) => {
    const path = await fileOf(`${key}\n`, mode)
    await chown(path, owner, group)
    return run(show(path), { asUser: true, ...(environment && { environment }) })
  }

  it.each([
    ['of this user', USER, USER, 0o600],
    ['of this user', USER, USER, 0o400],
    ['of root, with a group of this process', 0, GROUP, 0o440],
    ['of root, with a group of this process', 0, GROUP, 0o640],
    ['of root, with the group of this process', 0, USER, 0o440],
  ])('%s is taken', async (_, owner, group, mode) => {
    expect(await shownTo(owner, group, mode)).toMatchObject({
      code: 0,
      out: expect.stringContaining(address),
    })
  })

  it.each([
    ['of this user, for a group too', USER, GROUP, 0o440],
    ['of this user, for everybody', USER, USER, 0o644],
    ['of root, for everybody', 0, GROUP, 0o444],
    ['of root, for everybody', 0, 0, 0o444],
    ['of root, which the group may change', 0, GROUP, 0o660],
  ])('%s is refused', async (_, owner, group, mode) => {
    const { code, out } = await shownTo(owner, group, mode)
    expect(code).toBe(4)
    expect(out).toContain(mode.toString(8))
    expect(out).toContain('chmod 600')
  })

  it.each([
    [GROUP, 0o440, 0],
    [GROUP, 0o400, 0],
    [0, 0o440, 4],
    [GROUP + 1, 0o440, 4],
    [GROUP, 0o444, 4],
    [GROUP, 0o640, 4],
    [GROUP, 0o540, 4],
  ])('of root itself, of group %i with mode %o, ends with %i', async (group, mode, ended) => {
    const path = await fileOf(`${key}\n`, mode)
    await chown(path, 0, group)
    const { code, out } = run(show(path), { asRoot: true })
    expect(code).toBe(ended)
    expect(out).toContain(ended === 0 ? address : 'chmod 600')
  })

  it('is taken below $CREDENTIALS_DIRECTORY as systemd makes it: of root, opened by an access list', async () => {
    const credentials = join(folder, 'credentials')
    await mkdir(credentials, { mode: 0o755 })
    const path = join(credentials, 'key')
    await writeFile(path, `${key}\n`, { mode: 0o440 })
    await chmod(path, 0o440)
    // What stat shows with an access list: rights of the group, which is that of root.
    const judged = (environment: Record<string, string>) =>
      run(show(path), { environment, asUser: false }).code
    expect([judged({}), judged({ CREDENTIALS_DIRECTORY: credentials })]).toEqual([4, 0])
    expect(judged({ CREDENTIALS_DIRECTORY: `${credentials}/other` })).toBe(4)
    expect(judged({ CREDENTIALS_DIRECTORY: `${credentials}x` })).toBe(4)
    await chmod(path, 0o444)
    expect(judged({ CREDENTIALS_DIRECTORY: credentials })).toBe(4)
    await chmod(credentials, 0o500)
    expect(judged({ CREDENTIALS_DIRECTORY: credentials })).toBe(0)
  })

  it.each([
    ['taken', 0o440, { fleet: 23, mine: 23, export: 0 }],
    ['refused', 0o444, { fleet: 4, mine: 4, export: 4 }],
  ])('is %s alike as a secret of webhooks, a token and a password', async (_, mode, codes) => {
    const given = async (content: string): Promise<string> => {
      const path = await fileOf(content, mode)
      await chown(path, 0, GROUP)
      return path
    }
    const own = async (content: string | Buffer): Promise<string> => {
      const path = await fileOf(content)
      await chown(path, USER, USER)
      return path
    }
    const password = 'a password of eight'
    const keystore = join(folder, `made-${mode}.keystore`)
    await createFileKeystore({ path: keystore }).save({ wallet, password })
    const settings = `${await fileOf('')}.toml`
    const secret = await given(`whsec_${Buffer.alloc(32, 1).toString('base64')}`)
    await writeFile(settings, `[webhook]\nurl = "https://127.0.0.1:1/"\nsecret-file = "${secret}"\n`)
    const keyFile = await own(`${key}\n`)
    await chown(keystore, USER, USER)
    const nowhere = ['--gateway', 'wss://127.0.0.1:1', '--token', '0'.repeat(64)]
    const health = ['--health-listen', '0.0.0.0:0', '--health-token-file', await given('t'.repeat(32))]
    // What follows the reading of secrets ends there: nothing can be written.
    const options = { asUser: true, environment: { HAILSTONE_DATA: '/proc/nowhere' } }
    const words = {
      fleet: ['fleet', ...nowhere, '--keys-file', keyFile, '--config', settings],
      mine: ['mine', ...nowhere, '--key-file', keyFile, ...health],
      export: [
        'wallet',
        'export',
        '--reveal',
        '--key-file',
        keystore,
        '--password-file',
        await given(password),
      ],
    }
    for (const name of ['fleet', 'mine', 'export'] as const) {
      const { code, err } = run(words[name], options)
      expect({ name, code, err }).toMatchObject({ name, code: codes[name] })
    }
  })
})

describe('texts that people write', () => {
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

  it.each<[string, string | Buffer]>([
    ['a byte order mark', `\ufeff${key}\n`],
    ['UTF-16', utf16(`${key}\r\n`)],
    ['lines as Windows ends them', `${key}\r\n`],
    ['an empty first line', `\r\n\n${key}\n`],
    ['a note above the key', `# of the first miner\n${key}\n`],
  ])('are one key with %s, in a file and from standard input', async (_, content) => {
    expect(run(show(await fileOf(content)))).toMatchObject({ code: 0, out: expect.stringContaining(address) })
    const path = await fileOf(content)
    expect(run(['wallet', 'export', '--reveal', '--key-file', path]).out).toBe(`${key}\n`)
    const out = join(folder, `imported-${files++}.key`)
    expect(run(['wallet', 'import', '--plain', '--out', out], { input: content })).toMatchObject({ code: 0 })
    expect(run(['wallet', 'export', '--reveal', '--key-stdin'], { input: content }).out).toBe(`${key}\n`)
  })

  it.each([
    ['a key of Ethereum', `0x${key}`, 'without'],
    ['a keystore of Ethereum', JSON.stringify({ version: 3, id: 'x', address: '', crypto: {} }), 'Ethereum'],
    ['a key with a hidden character', `\u200b${key}\n`, 'nobody sees (U+200B)'],
    ['several keys', `${key}\n${sha256Hex('another')}\n`, 'several keys'],
  ])('are refused by saying what they are: %s', async (_, content, word) => {
    const path = await fileOf(content)
    for (const { code, out, err } of [
      run(show(path)),
      run(['wallet', 'export', '--reveal', '--key-file', path]),
    ]) {
      expect(code).toBe(4)
      expect(out + err).toContain(word)
      expect(out + err).not.toContain(key)
    }
    const out = join(folder, 'never.key')
    const imported = run(['wallet', 'import', '--plain', '--out', out], { input: content })
    expect([imported.code, imported.err]).toEqual([4, expect.stringContaining(word)])
  })

  it('are one password with and without a mark, and open keystores that earlier readings made', async () => {
    const password = 'a password of people'
    const readings = [`${password}\n`, `\ufeff${password}\r\n`, utf16(password), `\n${password}\r`]
    const [plain, ...others] = await Promise.all(readings.map((text) => fileOf(text)))
    const path = join(folder, 'marked.keystore')
    const made = run(['wallet', 'new', '--out', path, '--password-file', String(others[0])])
    expect(made).toMatchObject({ code: 0 })
    const opens = (file: string, keystore: string) =>
      run(['wallet', 'export', '--reveal', '--key-file', keystore, '--password-file', file]).code
    for (const file of [String(plain), ...others]) expect(opens(file, path)).toBe(0)
    for (const older of [`\ufeff${password}`, `${password}\r`]) {
      const old = join(folder, `older-${files++}.keystore`)
      await createFileKeystore({ path: old }).save({ wallet, password: older })
      expect(opens(await fileOf(`${older}\n`), old)).toBe(0)
      expect(opens(String(plain), old)).toBe(0)
    }
    expect(opens(await fileOf('another password\n'), path)).toBe(4)
    const two = await fileOf('the first line\nthe second line\n')
    const refused = run(['wallet', 'new', '--out', join(folder, 'two'), '--password-file', two])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('several lines')])
    const hidden = await fileOf('a password\u200b\n')
    const unseen = run(['wallet', 'new', '--out', join(folder, 'unseen'), '--password-file', hidden])
    expect([unseen.code, unseen.err]).toEqual([2, expect.stringContaining('nobody sees (U+200B)')])
  })

  it('are keystores too, and settings', async () => {
    const path = join(folder, 'edited.keystore')
    const passwordFile = await fileOf('a password of people')
    run(['wallet', 'new', '--out', path, '--password-file', passwordFile])
    await writeFile(path, `\ufeff${(await readFile(path, 'utf8')).replaceAll('\n', '\r\n')}`)
    expect(run(show(path)).code).toBe(0)
    expect(
      run(['wallet', 'export', '--reveal', '--key-file', path, '--password-file', passwordFile]),
    ).toMatchObject({
      code: 0,
      err: '',
    })
    const settings = `${await fileOf('')}.toml`
    await writeFile(settings, '\ufeffgateway = "ws://127.0.0.1:1"\r\n')
    expect(run(['config', 'check', settings]).code).toBe(0)
    await writeFile(settings, utf16('gateway = "ws://127.0.0.1:1"\r\n'))
    expect(run(['config', 'check', settings]).code).toBe(0)
  })
})
