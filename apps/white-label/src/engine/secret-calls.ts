import { endsBefore, signalPlaceOf } from './local-calls.ts'

/** Calls that return secrets and are not answered yet. Each can be cancelled. */
export type SecretCalls = {
  /** Cancels the open calls whose secrets are not needed any more after a call of this name. */
  readonly endBefore: (name: string) => void
  /** Returns the signal of a new call, aborted when the call is cancelled; undefined for a call without a secret. */
  readonly begin: (id: number, name: string) => AbortSignal | undefined
  /** Cancels one call. */
  readonly cancel: (id: number) => void
  readonly done: (id: number) => void
}

export function openSecretCalls(): SecretCalls {
  const open = new Map<number, { readonly name: string; readonly asker: AbortController }>()
  return {
    endBefore: (last) => {
      for (const { name, asker } of open.values()) if (endsBefore(name, last)) asker.abort()
    },
    begin: (id, name) => {
      if (signalPlaceOf(name) === undefined) return undefined
      const asker = new AbortController()
      open.set(id, { name, asker })
      return asker.signal
    },
    cancel: (id) => open.get(id)?.asker.abort(),
    done: (id) => void open.delete(id),
  }
}
