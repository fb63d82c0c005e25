import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import type { Needle } from './profile-secrets.ts'

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: string): string => {
  const line = textOf(`/proc/${pid}/stat`)
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

const commandOf = (pid: string): string => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

/** Processes that run pages and their workers, of the browser with this profile. Empty where there is no `/proc`. */
export function renderersOf(profile: string): readonly number[] {
  let numbers: readonly string[]
  try {
    numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
  const isOurs = (pid: string): boolean => {
    for (let at = pid; at !== '' && at !== '0' && at !== '1'; at = parentOf(at)) {
      const command = commandOf(at)
      if (command.includes(`--user-data-dir=${profile}`)) return true
    }
    return false
  }
  return numbers.filter((pid) => commandOf(pid).includes('--type=renderer') && isOurs(pid)).map(Number)
}

const PIECE_BYTES = 16 * 1024 * 1024
/** A needle may lie across two pieces. */
const OVERLAP_BYTES = 256

/** Reads all that a process has written into its memory, and names the needles in it. Asks for the rights of a debugger. */
export function needlesInMemory(
  pid: number,
  needles: readonly Needle[],
): { readonly found: readonly string[]; readonly bytesRead: number } {
  const areas = textOf(`/proc/${pid}/maps`)
    .split('\n')
    .map((line) => /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line))
    .filter((match) => match !== null)
    .map(([, from = '', to = '']) => ({ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }))
  let memory: number
  try {
    memory = openSync(`/proc/${pid}/mem`, 'r')
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return { found: [], bytesRead: 0 }
  }
  const found = new Set<string>()
  let bytesRead = 0
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  try {
    for (const { from, to } of areas) {
      for (let at = from; at < to; at += PIECE_BYTES - OVERLAP_BYTES) {
        let length = 0
        try {
          length = readSync(memory, piece, 0, Math.min(PIECE_BYTES, to - at), at)
        } catch {
          // Reserved and never written.
          break
        }
        bytesRead += length
        const bytes = piece.subarray(0, length)
        for (const needle of needles) if (bytes.includes(needle.bytes)) found.add(needle.what)
      }
    }
  } finally {
    closeSync(memory)
  }
  return { found: [...found], bytesRead }
}
