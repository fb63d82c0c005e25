import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutput, isReaderGone, type OutputStream } from './output.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hailstone-output-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A stream that is no file and answers each write as it is told. */
function streamOf(answers: readonly (string | null)[]) {
  const written: string[] = []
  let writableLength = 0
  let next = 0
  const stream: OutputStream = {
    fd: -1,
    get writableLength() {
      return writableLength
    },
    write: (text, taken) => {
      const code = answers[next++] ?? null
      if (code === null) written.push(text)
      taken(code === null ? null : Object.assign(new Error(code), { code }))
    },
  }
  const wait = (length: number): void => {
    writableLength = length
  }
  return { stream, written, wait }
}

function outputOf(stream: OutputStream) {
  const losses: string[] = []
  const output = createOutput({
    stream: () => stream,
    notice: ({ lines, why }) => `lost ${lines}: ${why}\n`,
    onLoss: (why) => void losses.push(why),
  })
  return { ...output, losses }
}

describe('an output', () => {
  it('counts the lines that a full disk does not take, and says so before the next one that is taken', () => {
    const { stream, written } = streamOf([null, 'ENOSPC', 'ENOSPC', null, null])
    const { write, lost, losses } = outputOf(stream)
    for (const line of ['1', '2', '3', '4', '5']) write(`${line}\n`)
    expect(written).toEqual(['1\n', 'lost 2: the disk is full (ENOSPC)\n4\n', '5\n'])
    expect(lost()).toEqual({ lines: 2, why: 'the disk is full (ENOSPC)' })
    expect(losses).toHaveLength(1)
  })

  it('counts nothing when its reader went away, which alone ends who prints', () => {
    const { write, lost } = outputOf(streamOf(['EPIPE']).stream)
    write('1\n')
    expect(lost().lines).toBe(0)
    expect(['EPIPE', 'ENOSPC', 'EIO', 'EAGAIN'].map((code) => isReaderGone({ code }))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('keeps what a slow reader has not read, and with an endless task loses what comes after 1 MiB', () => {
    const { stream, written, wait } = streamOf([])
    const { write, lost, outlive } = outputOf(stream)
    wait(2_000_000)
    write('1\n')
    outlive()
    write('2\n')
    wait(0)
    write('3\n')
    expect(written).toEqual(['1\n', 'lost 1: nobody reads it\n3\n'])
    expect(lost().lines).toBe(1)
  })

  it('writes to a file whole', () => {
    const path = join(folder, 'log')
    const fd = openSync(path, 'a')
    const { write } = outputOf({ ...streamOf([]).stream, fd })
    write('1\n')
    write('ü\n')
    closeSync(fd)
    expect(readFileSync(path, 'utf8')).toBe('1\nü\n')
  })
})
