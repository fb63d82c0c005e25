import {
  parseHash,
  pendingTransactionEndpoint,
  tokenEndpoint,
  transactionEndpoint,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import { Account, Amount, Answered, Coins, Facts, placeOf, Short, Status } from '../parts.tsx'
import { useAnswer } from '../use-answer.ts'

async function transaction(text: string, signal: AbortSignal) {
  const hash = parseHash(text)
  const found = await ask(transactionEndpoint, { hash }, signal)
  if (found === undefined) {
    const [waiting] = (await ask(pendingTransactionEndpoint, { hash }, signal)) ?? []
    return waiting === undefined ? undefined : { waiting }
  }
  const [token] = (await ask(tokenEndpoint, { tokenId: found.tokenId }, signal)) ?? []
  return { found, token }
}

export function Transaction({ hash }: { readonly hash: string }): JSX.Element {
  const known = useAnswer(`transaction ${hash}`, (signal) => transaction(hash, signal))
  return (
    <>
      <h2>Transaction</h2>
      <Answered
        known={known}
        nothing="The network does not know it, or its macroblock is not calculated yet."
      >
        {({ found, waiting, token }) =>
          found === undefined ? (
            <Facts
              of={[
                ['Status', <Status key="status" status="pending" />],
                ['From', waiting && <Account key="from" address={waiting.from} />],
                ['To', waiting && <Account key="to" address={waiting.to} />],
                [
                  'Amount',
                  waiting && <Amount key="amount" units={waiting.amount} tokenId={waiting.tokenId} />,
                ],
              ]}
            />
          ) : (
            <Facts
              of={[
                ['Status', <Status key="status" status={found.status} />],
                ['Hash', <code key="hash">{found.hash}</code>],
                ['From', <Account key="from" address={found.from} />],
                ['To', <Account key="to" address={found.to} />],
                [
                  'Sent, fee included',
                  <Coins
                    key="gross"
                    units={found.grossAmount}
                    decimals={token?.decimals}
                    symbol={token?.symbol}
                    isWhole
                  />,
                ],
                [
                  'Fee',
                  <Coins
                    key="fee"
                    units={found.fee}
                    decimals={token?.decimals}
                    symbol={token?.symbol}
                    isWhole
                  />,
                ],
                [
                  'Received',
                  <Coins
                    key="net"
                    units={found.status === 'confirmed' ? found.netAmount : 0n}
                    decimals={token?.decimals}
                    symbol={token?.symbol}
                    isWhole
                  />,
                ],
                ['Token', <Short key="token" text={found.tokenId} to={placeOf.token(found.tokenId)} />],
                [
                  'Microblock',
                  <Short
                    key="microblock"
                    text={found.microblockHash}
                    to={placeOf.microblock(found.microblockHash)}
                  />,
                ],
                ['Data', found.data === '' ? 'none' : <code key="data">{found.data}</code>],
              ]}
            />
          )
        }
      </Answered>
    </>
  )
}
