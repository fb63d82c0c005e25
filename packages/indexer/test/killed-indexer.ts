import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { IndexPlace } from '../src/open-index.ts'
import type { TestChain } from './test-chain.ts'

/** Place at which the process stands still: before a statement is sent, or after its answer; the first one is 1. */
export type StopAt = { readonly before: number } | { readonly after: number }

/** Starts a process that brings an index up to the API once. */
export const startIndexer = (chain: TestChain, place: IndexPlace, stopAt?: StopAt): ChildProcess =>
  spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./kill-child.mjs', import.meta.url)),
      JSON.stringify({ ...{ apiUrl: chain.apiUrl, tokenId: chain.token.id, place }, stopAt }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

/** Ends a process as kill -9 does, unless it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Resolves with the lines that a process printed, when it stands still or has ended. */
export async function linesUntilStop(child: ChildProcess): Promise<readonly string[]> {
  let text = ''
  for await (const part of child.stdout ?? []) {
    text += String(part)
    if (text.endsWith('stopped\n')) break
  }
  return text.trim().split('\n')
}
