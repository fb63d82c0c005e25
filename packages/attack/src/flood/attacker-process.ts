// The attacker in a process of its own: a flood must not slow down who measures it.
import { attacks } from '../attacks/index.ts'
import { answerParent } from '../child.ts'
import { isFlood } from './define-flood.ts'
import type { FloodTarget } from './flood-target.ts'

/** A flood that ends later than this has no counts. */
const LONGEST_FAREWELL_MS = 2000

const stopping = new AbortController()
let flooding: Promise<unknown> = Promise.resolve()

// A connection that the server cuts may fail anywhere; that is what it should do.
process.on('uncaughtException', () => {})
process.on('unhandledRejection', () => {})

answerParent({
  begin({ name, target }: { readonly name: string; readonly target: Omit<FloodTarget, 'signal'> }): void {
    const attack = attacks.find((one) => one.name === name)
    if (attack === undefined || !isFlood(attack)) throw new Error(`there is no flood ${name}`)
    flooding = attack.flood({ ...target, signal: stopping.signal })
  },
  /** Answers with what the attacker counted; the process and all its connections end right after. */
  async stop(): Promise<unknown> {
    stopping.abort()
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), LONGEST_FAREWELL_MS))
    return Promise.race([flooding.catch(() => null), late])
  },
})
