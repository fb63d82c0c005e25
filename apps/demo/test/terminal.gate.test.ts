import xterm from '@xterm/headless'
import { expect, it } from 'vitest'
import { dataFolder, startDemoInTerminal } from './demo-process.ts'

/** Shows bytes as a terminal would: the rows of the screen, and everything above them. */
async function shown(bytes: string, { columns, rows }: { readonly columns: number; readonly rows: number }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
  await new Promise<void>((done) => terminal.write(bytes, done))
  const textOf = (buffer: typeof terminal.buffer.active): readonly string[] =>
    Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '')
  return { screen: textOf(terminal.buffer.active), before: textOf(terminal.buffer.normal) }
}

it.runIf(process.platform === 'linux').each([
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
])(
  'npm start in a terminal of $columns x $rows shows the height and leaves no fragments behind',
  async (size) => {
    await using data = await dataFolder()
    const demo = startDemoInTerminal({ dataDirectory: data.folder }, size)
    try {
      await demo.printed(/Agent earned [\d.]+ DEV for inviting Miner/)
      const live = await shown(demo.output(), size)
      expect(live.screen.length).toBeLessThanOrEqual(size.rows)
      expect(live.screen[0]).toMatch(/^Hailstone {2}height \d+/)
      const screen = live.screen.join('\n')
      for (const part of [
        'Agent',
        'Miner',
        'http://127.0.0.1',
        'Explorer',
        'Mining app',
        'k shows the accounts',
      ])
        expect(screen).toContain(part)
      // Above the screen there is what was printed before it, once.
      expect(live.before.filter((line) => line.startsWith('Hailstone  height'))).toStrictEqual([])
      expect(live.before.filter((line) => line.includes('developer 1'))).toHaveLength(1)

      const before = demo.output().length
      demo.child.stdin?.write('k')
      await demo.printed(/Any key /)
      const page = (await shown(demo.output(), size)).screen.join('')
      expect(page).toMatch(/key {5}[0-9a-f]{10}/)
      expect(demo.output().length).toBeGreaterThan(before)
    } finally {
      demo.child.stdin?.write('\x03')
      expect(await demo.exitCode).toBe(0)
    }
    const after = await shown(demo.output(), size)
    expect(after.before.filter((line) => line.startsWith('Hailstone  height'))).toHaveLength(1)
  },
)
