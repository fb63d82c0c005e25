import type { AskSameConnection } from '@hailstone/database'
import type { KeyBlock } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { silentLogger } from '../logger.ts'
import { createCopyUse } from './copy-use.ts'
import { createReplicaReads } from './replica-reads.ts'

/** Key blocks of a chain by height; letters tell one chain from another. */
const block = (name: string): KeyBlock => {
  const height = Number(name.slice(1))
  return { height, hash: name, link: `${name[0]}${height - 1}` } as unknown as KeyBlock
}
const chainTo = (name: string): readonly KeyBlock[] =>
  Array.from({ length: block(name).height + 1 }, (_, at) => block(`${name[0]}${at}`))

/** A process over a primary and a copy that end with a key block each; what answers is their newest one. */
function processOver(state: { announced: string; primary: string; copy: string; next?: string }) {
  const lost: number[] = []
  const reads = createReplicaReads(
    () => block(state.announced),
    (height) => void lost.push(height),
  )
  const connection = {}
  const ask: AskSameConnection = async (text, [height]) =>
    text.includes('where')
      ? chainTo(state.copy).filter((one) => one.height === height)
      : [{ ...block(state.copy) }]
  const newest = async () => {
    await reads.around.before(connection, ask)
    const { copy } = state
    // It gets further before anybody asks where it is.
    state.copy = state.next ?? copy
    await reads.around.after(connection, ask)
    return `copy ${copy}`
  }
  const primary = {
    newest: async () => `primary ${state.primary}`,
    tail: async () => block(state.primary),
    keyBlockAt: async (height: number) => chainTo(state.primary)[height],
  }
  const use = createCopyUse({ probe: newest, logger: silentLogger })
  const { newest: read } = reads.readFrom({ replica: { newest }, primary }, use)
  return { ...reads, read, use, state, lost }
}

test('a copy answers at the height of the process, and neither below nor beyond', async () => {
  for (const [copy, answer] of [
    ['a5', 'copy a5'],
    ['a4', 'primary a5'],
    ['a6', 'primary a5'],
    ['b5', 'primary a5'],
    ['b6', 'primary a5'],
  ] as const) {
    const { read, use } = processOver({ announced: 'a5', primary: 'a5', copy })
    expect(await read(), copy).toBe(answer)
    use.close()
  }
})

test('a copy that gets on during a statement is taken for what it was before', async () => {
  const late = processOver({ announced: 'a5', primary: 'a5', copy: 'a4', next: 'a5' })
  expect(await late.read()).toBe('primary a5')
  late.use.close()
  const early = processOver({ announced: 'a5', primary: 'a5', copy: 'a5', next: 'a6' })
  expect(await early.read()).toBe('primary a5')
  early.use.close()
})

test('what the primary has shown beyond the height of the process is required of every later answer', async () => {
  const { read, use, state, height } = processOver({ announced: 'a5', primary: 'a7', copy: 'a4' })
  expect(await read()).toBe('primary a7')
  expect(height()).toBe(7)
  // A server that took over lacks it, or has another one.
  for (const primary of ['a6', 'b7', 'b8', 'b9']) {
    state.primary = primary
    await expect(read(), primary).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  }
  state.primary = 'a8'
  expect(await read()).toBe('primary a8')
  use.close()
})

test('a chain that went back is read as it is from when that was announced', async () => {
  const { read, use, state, reset, height } = processOver({ announced: 'a5', primary: 'a6', copy: 'a4' })
  expect(await read()).toBe('primary a6')
  state.primary = 'b4'
  state.announced = 'b4'
  await expect(read()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  reset()
  expect(height()).toBe(4)
  expect(await read()).toBe('primary b4')
  use.close()
})

test('what was shown and is gone is told where nothing that was announced is', async () => {
  const { read, use, state, height, lost } = processOver({ announced: 'a5', primary: 'a6', copy: 'a4' })
  expect(await read()).toBe('primary a6')
  state.primary = 'a5'
  await expect(read()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  expect([lost, height()]).toEqual([[6], 5])
  expect(await read()).toBe('primary a5')
  expect(lost).toEqual([6])
  use.close()
})

test('a key block that is announced in place of one that was shown takes that back', async () => {
  const { read, use, state, lost, noteAnnounced } = processOver({
    announced: 'a5',
    primary: 'a6',
    copy: 'a4',
  })
  expect(await read()).toBe('primary a6')
  state.primary = state.announced = 'a6'
  noteAnnounced()
  state.primary = 'a7'
  expect(await read()).toBe('primary a7')
  expect(lost).toEqual([])
  state.primary = state.announced = 'b7'
  noteAnnounced()
  expect(lost).toEqual([7])
  expect(await read()).toBe('primary b7')
  use.close()
})
