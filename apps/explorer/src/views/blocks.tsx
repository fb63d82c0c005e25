import { macroblockByHeightEndpoint, microblockEndpoint, parseHash } from '@hailstone/protocol'
import type { JSX } from 'preact'
import { ask } from '../ask.ts'
import {
  Account,
  Amount,
  Answered,
  Facts,
  NativeAmount,
  placeOf,
  Short,
  Table,
  Time,
  Transactions,
} from '../parts.tsx'
import { useAnswer } from '../use-answer.ts'

export function Macroblock({ height }: { readonly height: number }): JSX.Element {
  const known = useAnswer(`height ${height}`, (signal) => ask(macroblockByHeightEndpoint, { height }, signal))
  return (
    <>
      <h2>Macroblock {height}</h2>
      <nav class="beside" aria-label="Macroblocks beside this one">
        {height > 0 ? <a href={placeOf.height(height - 1)}>← {height - 1}</a> : <span />}
        <a href={placeOf.height(height + 1)}>{height + 1} →</a>
      </nav>
      <Answered known={known} nothing="There is no such macroblock yet.">
        {({ keyBlock, microblocks, statBlocks }) => (
          <>
            {keyBlock === undefined ? (
              <p>There is no such macroblock yet.</p>
            ) : (
              <Facts
                of={[
                  ['Key block', <code key="hash">{keyBlock.hash}</code>],
                  ['Linked to', <code key="link">{keyBlock.link}</code>],
                  ['Time', <Time key="time" seconds={keyBlock.time} />],
                  ['Publisher', <Account key="publisher" address={keyBlock.publisher} />],
                  ['Reward', <NativeAmount key="reward" units={keyBlock.reward} />],
                  ['Root', <code key="root">{keyBlock.merkleRoot}</code>],
                  ['State', keyBlock.reward === null ? 'not calculated yet' : 'calculated'],
                ]}
              />
            )}
            <Table
              caption="Microblocks"
              head={['Hash', 'Transactions']}
              empty="It holds no microblock."
              rows={microblocks.map(({ hash, transactionCount }) => [
                <Short key="hash" text={hash} to={placeOf.microblock(hash)} />,
                transactionCount,
              ])}
            />
            <Table
              caption="Statblocks"
              head={['Hash']}
              empty="It holds no statblock."
              rows={statBlocks.map(({ hash }) => [<Short key="hash" text={hash} />])}
            />
          </>
        )}
      </Answered>
    </>
  )
}

export function Microblock({ hash }: { readonly hash: string }): JSX.Element {
  const known = useAnswer(`microblock ${hash}`, (signal) =>
    ask(microblockEndpoint, { hash: parseHash(hash) }, signal),
  )
  return (
    <>
      <h2>Microblock</h2>
      <Answered known={known} nothing="There is no such microblock.">
        {({ header, transactions }) => (
          <>
            {header === undefined ? (
              <p>It is unknown, or its macroblock is not calculated yet.</p>
            ) : (
              <Facts
                of={[
                  ['Hash', <code key="hash">{header.hash}</code>],
                  ['Key block', <code key="key">{header.keyBlockHash}</code>],
                  ['Mined by', <Account key="publisher" address={header.publisher} />],
                  [
                    'Invited by',
                    header.referralAgent === null ? (
                      'nobody'
                    ) : (
                      <Account key="agent" address={header.referralAgent} />
                    ),
                  ],
                  ['Token', <Short key="token" text={header.tokenId} to={placeOf.token(header.tokenId)} />],
                  [
                    'Reward of the miner',
                    header.reward === null ? (
                      '—'
                    ) : (
                      <Amount key="reward" units={header.reward} tokenId={header.tokenId} />
                    ),
                  ],
                ]}
              />
            )}
            <Transactions caption="Transactions" empty="It holds no transaction." of={transactions} />
          </>
        )}
      </Answered>
    </>
  )
}
