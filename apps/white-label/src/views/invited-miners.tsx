import '../style/invited.css'
import type { Address, RewardRecord, TokenId } from '@hailstone/protocol'
import { lastValue, useReferral, useToken } from '@hailstone/react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useApp, useNow, useTexts } from '../app/app-context.ts'
import {
  hasStopped,
  type InvitedMiner,
  type MinerFacts,
  newestSince,
  type StopCause,
  stopCause,
} from '../app/invited-miners.ts'
import { withMiner } from '../app/own-campaigns.ts'
import { balanceOf } from '../app/repeated-no.ts'
import { useCampaigns } from '../app/use-campaigns.ts'
import type { InvitedRewards } from '../app/use-invited-miners.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import type { TextOf } from '../i18n/make-texts.ts'
import { Amount } from '../parts/amount.tsx'
import { ActionButton } from '../parts/busy-button.tsx'
import { Card } from '../parts/page.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { agoText } from '../text/time-text.ts'
import { Campaigns } from './campaigns.tsx'

const MINERS_AT_ONCE = 50
const MINUTE_MS = 60_000

type Words = { readonly later: TextOf<LaterKey> }

/** Statistics of an agent: who it invited, what came for each, and campaigns. All of it stays on this device. */
export function InvitedMiners({
  link,
  rewards: { miners, isComplete },
}: {
  readonly link: string
  readonly rewards: InvitedRewards
}): ReactNode {
  const later = useLaterTexts()
  const { text } = useTexts()
  const [shown, setShown] = useState(MINERS_AT_ONCE)
  const list = useRef<HTMLUListElement>(null)
  // Whoever asked for more goes on at the first of them: the button may be gone.
  useEffect(() => {
    const next = list.current?.children[shown - MINERS_AT_ONCE]
    if (shown > MINERS_AT_ONCE && next instanceof HTMLElement) next.focus()
  }, [shown])
  if (later === null || miners === null) return null
  return (
    <>
      <Card title={later('invited.title')}>
        {miners.length === 0 && <p className="muted">{later('invited.none')}</p>}
        <ul className="plain invited" ref={list}>
          {miners.slice(0, shown).map((miner) => (
            <Invited key={miner.address} miner={miner} later={later} />
          ))}
        </ul>
        {miners.length > shown && (
          <button type="button" className="button" onClick={() => setShown(shown + MINERS_AT_ONCE)}>
            {text('common.more')}
          </button>
        )}
        {miners.length === 0 && !isComplete && <p className="muted small">{later('invited.partial')}</p>}
      </Card>
      <Campaigns miners={miners} link={link} later={later} />
    </>
  )
}

const sentences: Readonly<Record<StopCause, LaterKey>> = {
  silent: 'invited.silent',
  notYet: 'invited.earns',
  stake: 'invited.stake',
  noAgent: 'invited.noAgent',
  otherAgent: 'invited.otherAgent',
  otherToken: 'invited.otherToken',
  ownStake: 'invited.ownStake',
  unknown: 'invited.unknown',
}

/** Returns a function that asks the network why no more reward comes for a miner. */
function useCause(): (miner: InvitedMiner) => Promise<StopCause> {
  const { host, brand } = useApp()
  const { address: agent } = useReferral()
  const minimumStake = lastValue(useToken())?.minimumStake ?? null
  const tokenId = brand.token.hash as TokenId
  const rewardsOf =
    (address: Address) =>
    (page: number): ReturnType<typeof host.client.getRewards> =>
      host.client.getRewards({ address, page })

  /** Looks for the half of the agent in its own history: its balance of today says nothing about that time. */
  async function isAgentPaid({ hash, time }: RewardRecord): Promise<boolean | null> {
    const half = await newestSince(time * 1_000, {
      pageOf: rewardsOf(agent),
      isWanted: (record) => record.hash === hash,
    })
    return half === null ? null : half !== 'none'
  }
  async function workOf(record: RewardRecord): Promise<MinerFacts['later']> {
    const microblock = await host.client.getMicroblock({ hash: record.hash })
    if (microblock === undefined) return null
    const { tokenId: mined, referralAgent } = microblock.header
    return {
      tokenId: mined,
      referralAgent,
      isAgentPaid: referralAgent === agent ? await isAgentPaid(record) : null,
    }
  }

  return async ({ address, lastAtMs }) => {
    const invited = address as Address
    const newest = await newestSince(lastAtMs + 1, {
      pageOf: rewardsOf(invited),
      isWanted: ({ recordType }) => recordType === 'im',
    })
    const later = newest === null || newest === 'none' ? newest : await workOf(newest)
    const { amount: balance } = await balanceOf(host.client, { address: invited, tokenId })
    return stopCause({ balance, minimumStake, later }, { agent, tokenId })
  }
}

function Invited({ miner, later }: Words & { readonly miner: InvitedMiner }): ReactNode {
  const { brand } = useApp()
  const { language } = useTexts()
  const { own, set } = useCampaigns()
  const { names, campaignOf } = own
  const now = useNow(MINUTE_MS)
  const ask = useCause()
  const [answer, setAnswer] = useState<LaterKey | null>(null)
  const { address, lastAtMs, units } = miner
  const isStopped = hasStopped(miner, now)
  const id = useId()
  const [who, what, why] = [`${id}-who`, `${id}-what`, `${id}-why`]
  const ago = agoText(lastAtMs, now, language)
  const look = (): Promise<void> =>
    ask(miner).then(
      (cause) => setAnswer(sentences[cause]),
      () => setAnswer('invited.failed'),
    )
  return (
    <li data-invited={address} tabIndex={-1}>
      <div className="invited-head">
        <span id={who}>
          <ShortHash hash={address} explorer={brand.network.explorer} kind="account" />
        </span>
        <Amount units={units} />
      </div>
      <p className={isStopped ? 'fault' : 'muted small'}>
        {isStopped ? later('invited.stopped', { ago }) : later('invited.earned', { ago })}
      </p>
      <div className="actions actions-row">
        {names.length > 0 && (
          <label className="picker">
            <span id={what}>{later('campaign.one')}</span>
            <select
              aria-labelledby={`${what} ${who}`}
              value={campaignOf[address] ?? ''}
              onChange={({ currentTarget }) =>
                set(withMiner(own, { address, name: currentTarget.value || null }))
              }
            >
              <option value="">{later('campaign.none')}</option>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {isStopped && (
          <ActionButton id={why} aria-labelledby={`${why} ${who}`} className="button button-small" act={look}>
            {later('invited.look')}
          </ActionButton>
        )}
      </div>
      <p role="status" className="small">
        {answer === null ? '' : later(answer)}
      </p>
    </li>
  )
}
