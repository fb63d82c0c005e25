import type { VerifyText } from '@hailstone/protocol'
import type {
  CursorStore,
  JournalStore,
  OpenChannel,
  PaymentSigner,
  Payments,
  Transport,
  watchRewards,
} from './real.ts'
import type { Program } from './run/program.ts'
import type { Run } from './run/run.ts'
import type { Figures } from './scenarios/honest-figures.ts'

/** Whether a notification tells of a reward, or takes one back. */
export type Delivered = 'rewarded' | 'reverted'

/** Parts of health, metrics and snapshots. */
export type Supervised = {
  readonly isReady?: boolean | undefined
  readonly rewards?: readonly { readonly own: bigint }[] | undefined
  readonly figures?: Figures | undefined
}

/**
 * A fault planted between the real code and the simulated world, to show that the simulator finds such a fault. Each
 * member wraps something that a program is given.
 */
export type Mutation = {
  readonly name: string
  /** Part of the violation that shows it. @default any violation does */
  readonly finds?: string | undefined
  /** Seed that is known to show it, with which a search begins. @default 1 */
  readonly shownBy?: number | undefined
  readonly journal?: ((store: JournalStore, program: Program, run: Run) => JournalStore) | undefined
  readonly transport?: ((transport: Transport, program: Program, run: Run) => Transport) | undefined
  readonly signer?: ((signer: PaymentSigner, program: Program, run: Run) => PaymentSigner) | undefined
  /** Wraps what the people of a program use, and not what follows the payments. */
  readonly payments?: ((payments: Payments, program: Program, run: Run) => Payments) | undefined
  readonly cursors?: ((store: CursorStore, program: Program, run: Run) => CursorStore) | undefined
  readonly openChannel?: ((open: OpenChannel, program: Program, run: Run) => OpenChannel) | undefined
  readonly verify?: VerifyText | undefined
  /** Delivers a reward or another notification of a watcher. */
  readonly delivery?:
    | (<T>(tell: (reported: T) => void, program: Program, kind: Delivered) => (reported: T) => void)
    | undefined
  /** Replaces what watches rewards. */
  readonly watch?: ((watch: typeof watchRewards) => typeof watchRewards) | undefined
  /** Shows somebody who supervises a program what it says of itself. */
  readonly supervision?: (<T extends Supervised>(shown: T) => T) | undefined
}

export const NO_MUTATION: Mutation = { name: 'none' }
