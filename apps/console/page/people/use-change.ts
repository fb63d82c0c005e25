import { useEffect, useState } from 'preact/hooks'
import { Refusal, requestJson } from './session.ts'

/** Returns a list of the console, null before it came, and a function that asks for it anew. */
export function useList<Entry>(path: string): readonly [list: readonly Entry[] | null, reload: () => void] {
  const [list, setList] = useState<readonly Entry[] | null>(null)
  const [count, setCount] = useState(0)
  useEffect(() => {
    let isLeft = false
    requestJson<readonly Entry[]>('GET', path).then(
      (entries) => {
        if (!isLeft) setList(entries)
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      },
    )
    return () => {
      isLeft = true
    }
  }, [path, count])
  return [list, () => setCount((before) => before + 1)]
}

export type ChangeRunner = {
  /** Runs a change; a refusal becomes the sentence. Resolves with true if it was granted. */
  readonly run: (change: () => Promise<unknown>) => Promise<boolean>
  readonly failure: string | null
  readonly isBusy: boolean
}

/** Returns a runner of changes, one at a time, with the sentence of the newest refusal. */
export function useChange(): ChangeRunner {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  return {
    failure,
    isBusy,
    async run(change) {
      setBusy(true)
      setFailure(null)
      try {
        await change()
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setFailure(error.message)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
