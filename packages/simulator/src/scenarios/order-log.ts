import { transactionHash } from '@hailstone/protocol'
import type { PaymentInfo } from '../real.ts'
import type { Run } from '../run/run.ts'
import { postedTransaction } from '../world/mempool.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'

/** State that was shown as final. */
type Final = {
  readonly chain: SimulatedChain
  /** The disk of the journal that showed it. */
  readonly name: string
  readonly memo: string
  readonly status: string
  readonly atMs: number
}

/** First bytes of an order that left a program. */
type Sent = { readonly body: string; readonly chain: SimulatedChain; readonly atMs: number }

/** Who sends: a program on one machine, the chain that it pays on, and what its journal would hold after a power cut. */
export type Sender = { readonly name: string; readonly chain: SimulatedChain; readonly stored: string }

/** Who shows a payment: a journal on one disk, and the chain that its program pays on. */
export type Shower = {
  readonly name: string
  readonly chain: SimulatedChain
  /** True if what it showed as final may be determined again, because records are missing. */
  readonly isFoundOutAgain: boolean
}

export type OrderLog = {
  /** Called with a request body that leaves a program. */
  readonly sees: (body: string, sender: Sender) => void
  /** Called with a state shown to the user. */
  readonly shows: (payment: PaymentInfo, shower: Shower) => void
  /** True if bytes of an order have left some program. */
  readonly hasLeft: (memo: string) => boolean
  /** True if an order was told as not executed, for good. */
  readonly cameToNothing: (memo: string) => boolean
  /** True if a payment was told as executed before anything left that is still under way. */
  readonly hasGround: () => boolean
  /** Called when whoever ordered something to be paid on a chain is told how that ended. */
  readonly answers: (memo: string, status: string, chain: SimulatedChain) => void
  /** Called when an order is given up because nothing of it has left and nothing will. */
  readonly isGivenUp: (memo: string) => void
  /** Called when the journal that holds its refusals is gone: the order is tried again by who asks for it. */
  readonly forgetsRefusals: () => void
  readonly look: (chain: SimulatedChain) => void
  readonly judge: () => void
}

/** Statuses whose order was executed once. */
const PAID: ReadonlySet<string> = new Set(['confirmed', 'superseded', 'duplicate'])

/** How often each order was executed, by its memo. */
export function executions({ blocks }: Pick<SimulatedChain, 'blocks'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { report, transactions } of blocks) {
    for (const { hash, status } of report.transactions) {
      const memo = transactions.get(hash)?.data ?? ''
      if (status === 'confirmed' && memo !== '') counts.set(memo, (counts.get(memo) ?? 0) + 1)
    }
  }
  return counts
}

/** Records what was ordered, sent, shown and executed, and checks that it is consistent (I1). */
export function createOrderLog(run: Run): OrderLog {
  const bodies = new Map<string, Sent>()
  const shown = new Map<string, string>()
  const givenUp = new Set<string>()
  /** Machines that sent an order, by its memo. */
  const senders = new Map<string, Set<string>>()
  /** The chain that each payment was made for, by its id. */
  const madeFor = new Map<string, SimulatedChain>()
  const answered: { readonly chain: SimulatedChain; readonly memo: string; readonly status: string }[] = []
  let finals: Final[] = []
  const found = new Set<string>()

  /** Reports a fault once. */
  function violate(what: string): void {
    if (found.has(what)) return
    found.add(what)
    run.violate('I1', what)
  }

  function look(chain: SimulatedChain): void {
    for (const [memo, times] of executions(chain)) {
      if (times > 1) violate(`${memo} was paid ${times} times`)
      if (givenUp.has(memo)) violate(`${memo} was given up because nothing had left, and was paid`)
    }
  }

  const isFinal = (memo: string): boolean => finals.some((one) => one.memo === memo)

  /** True if another machine sent an order than the one that knows of a refusal, whose words bind nobody else. */
  const isSentByOther = ({ memo, name }: Final): boolean =>
    [...(senders.get(memo) ?? [])].some((sender) => sender !== name)

  return {
    look,
    cameToNothing: (memo) => finals.some((one) => one.memo === memo && !PAID.has(one.status)),
    hasGround: () => {
      const open = [...bodies].filter(([memo]) => !isFinal(memo)).map(([, { atMs }]) => atMs)
      return finals.some(({ status, atMs }) => PAID.has(status) && atMs < Math.min(...open))
    },
    sees: (body, { name, chain, stored }) => {
      const transaction = postedTransaction(body)
      if (transaction === null) {
        run.violate('I1', 'what is sent is not a signed transaction')
        return
      }
      const { data: memo, signature } = transaction
      run.note('payer', `sends ${memo} ${transactionHash(transaction).slice(0, 8)}`)
      if (!stored.includes(signature)) run.violate('I1', `${memo} is sent before it is stored`)
      senders.set(memo, (senders.get(memo) ?? new Set()).add(name))
      const before = bodies.get(memo)
      if (before?.chain === chain && before.body !== body)
        run.violate('I1', `${memo} is sent in other bytes than before`)
      if (before !== undefined && before.chain !== chain && before.body === body)
        run.violate('I1', `${memo} is sent to another chain than before`)
      bodies.set(memo, { body, chain, atMs: before?.atMs ?? run.time.now() })
    },
    shows: ({ id, memo, state }, shower) => {
      const { status } = state
      const { name, isFoundOutAgain } = shower
      const chain = madeFor.get(id) ?? shower.chain
      madeFor.set(id, chain)
      const isFinal = 'isFinal' in state && state.isFinal
      run.note('shown', `${memo} ${status}${isFinal ? ' for good' : ''}`)
      const key = `${name} ${id}`
      const before = shown.get(key)
      const isSame = isFinal && status === before
      if (before !== undefined && !isSame && (isFinal || !isFoundOutAgain)) {
        run.violate('I1', `${memo} was ${before} for good and is ${status}`)
      }
      if (!isFinal) return
      shown.set(key, status)
      finals.push({ chain, name, memo, status, atMs: run.time.now() })
    },
    hasLeft: (memo) => bodies.has(memo),
    answers: (memo, status, chain) => void answered.push({ chain, memo, status }),
    isGivenUp: (memo) => void givenUp.add(memo),
    forgetsRefusals: () => {
      for (const [key, status] of shown) if (!PAID.has(status)) shown.delete(key)
      finals = finals.filter(({ status }) => PAID.has(status))
    },
    judge: () => {
      const judged = new Map<SimulatedChain, ReadonlyMap<string, number>>()
      const timesPaid = (chain: SimulatedChain, memo: string): number => {
        const counts = judged.get(chain) ?? executions(chain)
        judged.set(chain, counts)
        return counts.get(memo) ?? 0
      }
      for (const { chain, memo, status } of answered) {
        if (PAID.has(status) && timesPaid(chain, memo) === 0)
          violate(`${memo} is called ${status}, and was not paid on the chain that it was ordered for`)
      }
      for (const final of finals) {
        const { chain, memo, status } = final
        const times = timesPaid(chain, memo)
        // Nobody can know what another machine sends; a second payment is found by the look at the chain.
        if (status === 'refused' && isSentByOther(final)) continue
        if (times !== (PAID.has(status) ? 1 : 0))
          violate(`${memo} is ${status} for good and was paid ${times} times`)
      }
      for (const chain of judged.keys()) look(chain)
    },
  }
}
