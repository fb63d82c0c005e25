import {
  type AccountRecord,
  accountEndpoint,
  balanceAllUnfilteredEndpoint,
  parseAddress,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import {
  Amount,
  Answered,
  Coins,
  MinedAmount,
  NativeAmount,
  placeOf,
  Short,
  Status,
  Table,
  Time,
} from '../parts.tsx'
import { useAnswer } from '../use-answer.ts'

async function account(text: string, page: number, signal: AbortSignal) {
  const address = parseAddress(text)
  const [holdings, history] = await Promise.all([
    ask(balanceAllUnfilteredEndpoint, { address }, signal),
    ask(accountEndpoint, { address, page }, signal),
  ])
  return { holdings: holdings ?? [], records: history?.records ?? [], pageCount: history?.pageCount ?? 0 }
}

function kindOf(record: AccountRecord): string {
  const { keyBlockReward, statBlockReward, miningReward, referralReward, output } = record
  if (miningReward !== null) return 'mined'
  if (referralReward !== null) return 'referral reward'
  if (keyBlockReward !== null) return 'key block reward'
  if (statBlockReward !== null) return 'statblock reward'
  return output === null ? 'received' : 'sent'
}

/** Shows an incoming amount, or an outgoing one with a minus. */
function Change({ of: record }: { readonly of: AccountRecord }): JSX.Element {
  const { keyBlockReward, statBlockReward, miningReward, referralReward, input, output, tokenId } = record
  const mined = miningReward ?? referralReward
  if (mined !== null) return <MinedAmount units={mined} microblock={record.hash} />
  const units = input?.units ?? -(output?.units ?? 0n)
  return tokenId === null ? (
    <NativeAmount units={keyBlockReward ?? statBlockReward ?? units} />
  ) : (
    <Amount units={units} tokenId={tokenId} />
  )
}

/** Rewards name the block they are for. */
const placeOfRecord = ({ hash, status, miningReward, referralReward }: AccountRecord): string | undefined => {
  if (status !== null) return placeOf.transaction(hash)
  return miningReward === null && referralReward === null ? undefined : placeOf.microblock(hash)
}

export function AccountView({
  address,
  page,
}: {
  readonly address: string
  readonly page: number
}): JSX.Element {
  const known = useAnswer(`account ${address} ${page}`, (signal) => account(address, page, signal))
  return (
    <>
      <h2>Account</h2>
      <p>
        <code>{address}</code>
      </p>
      <Answered known={known} nothing="">
        {({ holdings, records, pageCount }) => (
          <>
            <Table
              caption="Balances"
              head={['Token', 'Amount']}
              empty="It holds nothing."
              rows={holdings.map(({ tokenId, symbol, amount, decimals }) => [
                <a key="token" href={placeOf.token(tokenId)}>
                  {symbol}
                </a>,
                <Coins key="amount" units={amount} decimals={decimals} symbol={symbol} />,
              ])}
            />
            <Table
              caption="History"
              head={['Kind', 'Amount', 'Time', 'Status', 'Hash']}
              empty={page === 0 ? 'It did nothing yet.' : 'There is nothing more.'}
              rows={records.map((one) => [
                kindOf(one),
                <Change key="amount" of={one} />,
                <Time key="time" seconds={one.time} />,
                one.status === null ? '' : <Status key="status" status={one.status} />,
                <Short key="hash" text={one.hash} to={placeOfRecord(one)} />,
              ])}
            />
            <nav class="beside" aria-label="Pages of the history">
              {page > 0 ? <a href={`${placeOf.account(address)}/${page - 1}`}>← newer</a> : <span />}
              {page < pageCount ? <a href={`${placeOf.account(address)}/${page + 1}`}>older →</a> : <span />}
            </nav>
          </>
        )}
      </Answered>
    </>
  )
}
