import { spawn } from 'node:child_process'

/**
 * Starts a shell line in namespaces of its own, as a container does, and collects its output.
 *
 * @param words arguments of `unshare` before the line, for example `['-m', 'sh', '-c']`
 */
export function startUnshared(
  words: readonly string[],
  { line, home, data }: { readonly line: string; readonly home: string; readonly data: string },
) {
  const child = spawn('unshare', [...words, line], {
    env: { PATH: process.env.PATH ?? '', HOME: home, HAILSTONE_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, said: () => said }
}
