import {
  minersOnlineEndpoint,
  parseTokenId,
  richestAccountsEndpoint,
  tokenEndpoint,
  tokenPageEndpoint,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import { Account, Answered, Coins, Facts, placeOf, Short, Table } from '../parts.tsx'
import { tokenSymbols } from '../token-names.ts'
import { useAnswer } from '../use-answer.ts'

const kindOf = ({
  isMineable,
  isReissuable,
}: {
  readonly isMineable: boolean
  readonly isReissuable: boolean
}) => (isMineable ? 'mineable' : isReissuable ? 'reissuable' : 'fixed')

async function tokens(page: number, signal: AbortSignal) {
  const [listed, symbols] = await Promise.all([
    ask(tokenPageEndpoint, { page }, signal),
    tokenSymbols(signal),
  ])
  return listed === undefined ? undefined : { ...listed, symbols }
}

export function Tokens({ page }: { readonly page: number }): JSX.Element {
  const known = useAnswer(`tokens ${page}`, (signal) => tokens(page, signal))
  return (
    <>
      <h2>Tokens</h2>
      <Answered known={known} nothing="">
        {({ tokens, symbols, pageCount }) => (
          <>
            <Table
              caption="All tokens"
              head={['Symbol', 'Kind', 'Supply', 'Holders', 'Id']}
              empty={page === 0 ? 'There is no token.' : 'There is nothing more.'}
              rows={tokens.map((one) => [
                <a key="symbol" href={placeOf.token(one.id)}>
                  {symbols.get(one.id) ?? '—'}
                </a>,
                kindOf(one),
                <Coins
                  key="supply"
                  units={one.totalSupply}
                  decimals={one.decimals}
                  symbol={symbols.get(one.id)}
                />,
                one.holderCount,
                <Short key="id" text={one.id} to={placeOf.token(one.id)} />,
              ])}
            />
            <nav class="beside" aria-label="Pages of the tokens">
              {page > 0 ? <a href={`${placeOf.tokens()}/${page - 1}`}>← before</a> : <span />}
              {page + 1 < pageCount ? <a href={`${placeOf.tokens()}/${page + 1}`}>more →</a> : <span />}
            </nav>
          </>
        )}
      </Answered>
    </>
  )
}

async function token(id: string, signal: AbortSignal) {
  const tokenId = parseTokenId(id)
  const [found, richest] = await Promise.all([
    ask(tokenEndpoint, { tokenId }, signal),
    ask(richestAccountsEndpoint, { page: 0, tokenId }, signal),
  ])
  const [one] = found ?? []
  return one === undefined ? undefined : { one, accounts: richest?.accounts ?? [] }
}

export function TokenView({ id }: { readonly id: string }): JSX.Element {
  const known = useAnswer(`token ${id}`, (signal) => token(id, signal))
  return (
    <Answered known={known} nothing="There is no such token.">
      {({ one, accounts }) => {
        const { decimals, symbol } = one
        const coins = (units: bigint | null) => <Coins units={units} decimals={decimals} symbol={symbol} />
        return (
          <>
            <h2>
              {symbol} <small>{one.caption}</small>
            </h2>
            <Facts
              of={[
                ['Id', <code key="id">{one.id}</code>],
                ['Kind', kindOf(one)],
                ['Owner', <Account key="owner" address={one.owner} />],
                ['Supply', coins(one.totalSupply)],
                ['Decimals', decimals],
                ...(one.isMineable
                  ? ([
                      ['Reward of a block', coins(one.blockReward)],
                      ['Least stake of a miner', coins(one.minimumStake)],
                      ['Least balance of an agent', coins(one.referrerStake)],
                      ['Share of the agent', `${(one.referralShareBps ?? 0) / 100} %`],
                      ['Largest supply', coins(one.maxSupply)],
                    ] as const)
                  : []),
              ]}
            />
            <Table
              caption="Largest holders"
              head={['Account', 'Amount', 'Share']}
              empty="Nobody holds it."
              rows={accounts.map(({ account, amount, percentage }) => [
                <Account key="account" address={account} />,
                <Coins key="amount" units={amount} decimals={decimals} symbol={symbol} />,
                `${percentage.toFixed(2)} %`,
              ])}
            />
          </>
        )
      }}
    </Answered>
  )
}

export function Miners(): JSX.Element {
  const known = useAnswer('miners', (signal) => ask(minersOnlineEndpoint, {}, signal))
  return (
    <>
      <h2>Miners online</h2>
      <Answered known={known} nothing="">
        {(miners) => (
          <Table
            caption="Connected to the gateway"
            head={['Account']}
            empty="Nobody mines; the fallback miner keeps the chain going."
            rows={miners.map(({ address }) => [<Account key="address" address={address} />])}
          />
        )}
      </Answered>
    </>
  )
}
