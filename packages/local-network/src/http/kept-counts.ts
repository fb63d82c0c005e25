import type { ChainStore } from '../store/index.ts'
import type { LiveChain } from './kept-answers.ts'

/** Answers that are kept for one macroblock: there are fewer tokens with balances than this, as a rule. */
const MAX_KEPT = 4096

/**
 * Returns a store that counts what it counts over all balances once for each macroblock, whatever the questions look like.
 * While another macroblock is being stored it counts each time.
 */
export function withKeptCounts(store: ChainStore, live: Pick<LiveChain, 'tip'> | undefined): ChainStore {
  if (live === undefined) return store
  let kept: { readonly tip: object; readonly answers: Map<string, Promise<unknown>> } | undefined
  function once<Answer>(
    question: string,
    ask: () => Promise<Answer>,
    isEmpty: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const tip = live?.tip() ?? null
    if (tip === null) return ask()
    if (kept?.tip !== tip) kept = { tip, answers: new Map() }
    const { answers } = kept
    const known = answers.get(question)
    if (known !== undefined) return known as Promise<Answer>
    if (answers.size >= MAX_KEPT) return ask()
    const answer = ask()
    answers.set(question, answer)
    const forget = () => answers.delete(question)
    // Tokens that nobody has are invented without end, and cost nothing.
    answer.then((found) => isEmpty(found) && forget(), forget)
    return answer
  }
  return {
    ...store,
    holders: (tokenId) =>
      once(
        `holders ${tokenId.toLowerCase()}`,
        () => store.holders(tokenId),
        ({ count }) => count === 0,
      ),
    accountCount: () => once('accounts', store.accountCount, () => false),
    holderCounts: () => once('holder counts', store.holderCounts, () => false),
    accountsHolding: (tokenId, least) =>
      once(
        `holding ${tokenId} ${least}`,
        () => store.accountsHolding(tokenId, least),
        () => false,
      ),
  }
}
