import {
  heightEndpoint,
  keyBlockPageEndpoint,
  lastTransactionsEndpoint,
  microblocksEndpoint,
  minersOnlineEndpoint,
  nativeTokenEndpoint,
  pendingSizeEndpoint,
  statsEndpoint,
  tokenCountEndpoint,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import {
  Account,
  Answered,
  Coins,
  Facts,
  NativeAmount,
  placeOf,
  Table,
  Time,
  Transactions,
} from '../parts.tsx'
import { useAnswer } from '../use-answer.ts'

/** Newest key blocks with the number of their microblocks and transactions; none while nothing is calculated. */
async function newestBlocks(signal: AbortSignal) {
  const { keyBlocks = [] } = (await ask(keyBlockPageEndpoint, { page: 0 }, signal)) ?? {}
  const offset = keyBlocks.at(-1)?.height
  if (offset === undefined) return []
  const microblocks = (await ask(microblocksEndpoint, { offset, limit: keyBlocks.length }, signal)) ?? []
  return keyBlocks.map((block) => ({
    ...block,
    microblockCount: microblocks.filter(({ height }) => height === block.height).length,
  }))
}

async function overview(signal: AbortSignal) {
  const [height, blocks, transactions, miners, pending, tokens, native, stats] = await Promise.all([
    ask(heightEndpoint, {}, signal),
    newestBlocks(signal),
    ask(lastTransactionsEndpoint, {}, signal),
    ask(minersOnlineEndpoint, {}, signal),
    ask(pendingSizeEndpoint, {}, signal),
    ask(tokenCountEndpoint, {}, signal),
    ask(nativeTokenEndpoint, {}, signal),
    ask(statsEndpoint, {}, signal),
  ])
  return {
    height: height?.height,
    blocks,
    transactions: transactions?.transactions ?? [],
    miners: miners?.length,
    pending: pending?.[0]?.count,
    tokens: tokens?.count,
    accounts: stats?.accounts?.toString(),
    native,
  }
}

export function Home(): JSX.Element {
  const known = useAnswer('home', overview)
  return (
    <Answered known={known} nothing="">
      {({ height, blocks, transactions, miners, pending, tokens, accounts, native }) => (
        <>
          <Facts
            of={[
              [
                'Open macroblock',
                <b key="height" data-height={height}>
                  {height ?? '—'}
                </b>,
              ],
              [
                'Miners online',
                <a key="miners" href={placeOf.miners()}>
                  {miners ?? '—'}
                </a>,
              ],
              ['Waiting transactions', pending ?? '—'],
              ['Accounts', accounts ?? '—'],
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
            head={['Height', 'Time', 'Microblocks', 'Transactions', 'Reward', 'Publisher']}
            empty="No macroblock is calculated yet."
            rows={blocks.map((block) => [
              <a key="height" href={placeOf.height(block.height)}>
                {block.height}
              </a>,
              <Time key="time" seconds={block.time} />,
              block.microblockCount,
              block.transactionCount,
              <NativeAmount key="reward" units={block.reward} />,
              <Account key="publisher" address={block.publisher} />,
            ])}
          />
          <Transactions
            caption="Transactions of the newest macroblock"
            empty="The newest macroblock holds no transaction."
            of={transactions}
          />
        </>
      )}
    </Answered>
  )
}
