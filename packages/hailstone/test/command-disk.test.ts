import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const key = sha256Hex('a key of a test about disks')
const { address } = walletFromPrivateKey(key)
/** Addresses where nothing listens. The errors under test are reported before the first request. */
const api = '--api http://127.0.0.1:9/api/v1'
const network = `${api} --gateway ws://127.0.0.1:9`

let folder: string
let home: string
let keyFile: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hailstone-disk-'))
  home = join(folder, 'home')
  keyFile = join(folder, 'key')
  writeFileSync(keyFile, key, { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Commands that create the disk of a home, in a mount namespace that ends with the command. */
const disks = {
  'is read-only': 'mount -t tmpfs tmpfs "$HOME" && mount -o remount,ro "$HOME"',
  'is full':
    'mount -t tmpfs -o size=64k tmpfs "$HOME" && ! head -c 100000 /dev/zero 2>/dev/null > "$HOME/fill"',
}
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0

function run(disk: keyof typeof disks, command: string) {
  const script = `mkdir -p "$HOME" && ${disks[disk]}; exec "${process.execPath}" "${bin}" ${command}`
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const { status, stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], {
    env,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

describe.runIf(canMount).each([
  ['is read-only', /the (?:file system|disk) is read-only/],
  ['is full', /the disk is full \(ENOSPC\)|no space is left/],
] as const)('where the disk of the home %s', (disk, cause) => {
  it.each([
    ['mine', () => `mine ${network} --key-file ${keyFile}`, '--data'],
    ['mine --supervise', () => `mine ${network} --key-file ${keyFile} --supervise`, '--data'],
    ['send', () => `send ${api} --key-file ${keyFile} --to ${address} --amount 1 --yes`, '--data'],
    ['send --resume', () => `send ${api} --key-file ${keyFile} --resume`, '--data'],
    ['wallet new', () => 'wallet new --plain --out "$HOME/new.key"', 'Choose another place'],
  ])('%s ends with 23, the path, the cause and what to do', (_, command, advice) => {
    const { status, said } = run(disk, command())
    expect(status, said).toBe(23)
    expect(said).toContain(home)
    expect(said).toMatch(cause)
    expect(said).toContain(advice)
  })

  it.each([
    ['status', 'status', 8],
    ['doctor', `doctor ${network} --address ${address}`, 10],
  ])('%s works as elsewhere', (_, command, code) => {
    const { status, said } = run(disk, command)
    expect(status, said).toBe(code)
    expect(said).not.toMatch(cause)
  })
})
