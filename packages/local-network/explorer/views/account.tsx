import {
  type AccountRecord,
  accountEndpoint,
  balanceAllUnfilteredEndpoint,
  parseAddress,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import { Answered, Coins, placeOf, Short, Status, Table, Time } from '../parts.tsx'
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

/** Units; sent ones with a minus. */
function changeOf(record: AccountRecord): string {
  const { keyBlockReward, statBlockReward, miningReward, referralReward, input, output } = record
  const gained = miningReward ?? referralReward ?? keyBlockReward ?? statBlockReward ?? input?.units
  return gained === undefined ? `-${output?.units ?? 0n}` : `+${gained}`
}

/** Rewards name the block they are for. */
const placeOfRecord = ({ hash, status, miningReward }: AccountRecord): string | undefined => {
  if (status !== null) return placeOf.transaction(hash)
  return miningReward === null ? undefined : placeOf.microblock(hash)
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
              head={['Kind', 'Hash', 'Time', 'Units', 'Status']}
              empty={page === 0 ? 'It did nothing yet.' : 'There is nothing more.'}
              rows={records.map((one) => [
                kindOf(one),
                <Short key="hash" text={one.hash} to={placeOfRecord(one)} />,
                <Time key="time" seconds={one.time} />,
                <span key="amount" class="number">
                  {changeOf(one)}
                </span>,
                one.status === null ? '' : <Status key="status" status={one.status} />,
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
