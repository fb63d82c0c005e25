import {
  heightEndpoint,
  lastBlocksEndpoint,
  lastTransactionsEndpoint,
  minersOnlineEndpoint,
  nativeTokenEndpoint,
  pendingSizeEndpoint,
  tokenCountEndpoint,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import { Account, Answered, Coins, Facts, placeOf, Short, Status, Table, Time } from '../parts.tsx'
import { useAnswer } from '../use-answer.ts'

async function overview(signal: AbortSignal) {
  const [height, blocks, transactions, miners, pending, tokens, native] = await Promise.all([
    ask(heightEndpoint, {}, signal),
    ask(lastBlocksEndpoint, {}, signal),
    ask(lastTransactionsEndpoint, {}, signal),
    ask(minersOnlineEndpoint, {}, signal),
    ask(pendingSizeEndpoint, {}, signal),
    ask(tokenCountEndpoint, {}, signal),
    ask(nativeTokenEndpoint, {}, signal),
  ])
  return {
    height: height?.height ?? 0,
    blocks: blocks?.blocks ?? [],
    transactions: transactions?.transactions ?? [],
    miners: miners?.length,
    pending: pending?.[0]?.count,
    tokens: tokens?.count,
    native,
  }
}

export function Home(): JSX.Element {
  const known = useAnswer('home', overview)
  return (
    <Answered known={known} nothing="">
      {({ height, blocks, transactions, miners, pending, tokens, native }) => (
        <>
          <Facts
            of={[
              [
                'Open macroblock',
                <b key="height" data-height={height}>
                  {height}
                </b>,
              ],
              [
                'Miners online',
                <a key="miners" href={placeOf.miners()}>
                  {miners ?? '—'}
                </a>,
              ],
              ['Waiting transactions', pending ?? '—'],
              [
                'Tokens',
                <a key="tokens" href={placeOf.tokens()}>
                  {tokens ?? '—'}
                </a>,
              ],
              [
                'Supply',
                <Coins
                  key="supply"
                  units={native?.totalSupply}
                  decimals={native?.decimals}
                  symbol={native?.symbol}
                />,
              ],
            ]}
          />
          <Table
            caption="Newest macroblocks"
            head={['Height', 'Key block', 'Time', 'Publisher', 'Reward']}
            empty="No macroblock is calculated yet."
            rows={blocks.map((block) => [
              <a key="height" href={placeOf.height(block.height)}>
                {block.height}
              </a>,
              <Short key="hash" text={block.hash} to={placeOf.height(block.height)} />,
              <Time key="time" seconds={block.time} />,
              <Account key="publisher" address={block.publisher} />,
              <Coins key="reward" units={block.reward} symbol={native?.symbol} />,
            ])}
          />
          <Table
            caption="Transactions of the newest macroblock"
            head={['Hash', 'From', 'To', 'Units', 'Status']}
            empty="The newest macroblock holds no transaction."
            rows={transactions.map(({ hash, from, to, amount, status }) => [
              <Short key="hash" text={hash} to={placeOf.transaction(hash)} />,
              <Account key="from" address={from} />,
              <Account key="to" address={to} />,
              <span key="amount" class="number">
                {amount.toString()}
              </span>,
              <Status key="status" status={status} />,
            ])}
          />
        </>
      )}
    </Answered>
  )
}
