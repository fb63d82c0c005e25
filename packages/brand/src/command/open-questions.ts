import { createInterface, type Interface } from 'node:readline'
import { UsageError } from './command-options.ts'

/** Questions to whoever sits at a terminal. */
export type Questions = {
  /** @throws {UsageError} when the terminal was left instead of answering (Ctrl+C, Ctrl+D) */
  readonly ask: (question: string) => Promise<string>
  readonly close: () => void
}

/** One reader for all questions: answers that are pasted together are not lost between two of them. */
export function openQuestions(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Questions {
  let terminal: Interface | null = null
  let lines: AsyncIterator<string> | null = null
  return {
    ask: async (question) => {
      terminal ??= createInterface({ input, output })
      lines ??= terminal[Symbol.asyncIterator]()
      terminal.setPrompt(question)
      terminal.prompt()
      const { done, value } = await lines.next()
      if (done === true) throw new UsageError('\nThe questions were left: nothing was made.')
      return value
    },
    close: () => terminal?.close(),
  }
}
