import {
  explainReferral,
  type NamedAgent,
  type ReferralPart,
  readNamedAgent,
} from '@hailstone/mining-node/why'
import type { Address } from '@hailstone/protocol'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Notice } from '../parts/notice.tsx'
import { dateText } from '../text/time-text.ts'

/** Returns the time since which this account's microblocks name the agent; null until the chain was read. */
function useNamed(own: Address, agent: Address): NamedAgent | null {
  const { host } = useApp()
  const [read, setRead] = useState<{ readonly of: string; readonly named: NamedAgent } | null>(null)
  const of = `${own} ${agent}`
  useEffect(() => {
    let isOver = false
    const show = (named: NamedAgent): void => {
      if (!isOver) setRead({ of: `${own} ${agent}`, named })
    }
    readNamedAgent(host.client, { address: own, agent }).then(
      ({ named }) => show(named),
      () => show({ status: 'unknown', why: '' }),
    )
    return () => {
      isOver = true
    }
  }, [host, own, agent])
  return read?.of === of ? read.named : null
}

/** Answers since when the chain names the agent, which condition of the bonus fails on whose side, and what changing does. */
export function ReferrerAnswers({
  own,
  agent,
}: {
  readonly own: Address
  readonly agent: Address
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { stakes, balance } = useEngine()?.snapshot ?? {}
  const named = useNamed(own, agent)
  const sentence = useSentence(named)
  if (named === null) return null
  const why = text('common.notKnown')
  const token = stakes?.token ?? null
  const parts = explainReferral({
    ...{ token: { symbol: '', decimals: 0 }, own, agent, named },
    balance: balance?.amount ?? { why },
    minimumStake: token?.minimumStake ?? { why },
    agentBalance: stakes?.agent ?? { why },
    referrerStake: token === null ? { why } : token.referrerStake,
  })
  return parts.map((part) => {
    const { tone, words } = sentence(part)
    if (words === '' || (part.code === 'CHANGING' && !brand.referral.userCanChange)) return null
    const name = `${part.code}${'isMet' in part ? ` ${part.side}` : ''}`
    return (
      <div key={part.code} data-referrer={name} data-met={'isMet' in part ? String(part.isMet) : undefined}>
        {tone === null ? <p>{words}</p> : <Notice tone={tone}>{words}</Notice>}
      </div>
    )
  })
}

type Said = { readonly tone: 'success' | 'warning' | null; readonly words: string }

function useSentence(named: NamedAgent | null): (part: ReferralPart) => Said {
  const { text, language } = useTexts()
  const later = useLaterTexts()
  const { short } = useMoney()
  const plain = (words: string | undefined): Said => ({ tone: null, words: words ?? '' })
  const condition = (
    isMet: boolean | null,
    {
      met,
      unmet,
      unknown,
    }: { readonly met: string | undefined; readonly unmet: string | undefined; readonly unknown: string },
  ): Said =>
    isMet === null
      ? plain(unknown)
      : { tone: isMet ? 'success' : 'warning', words: (isMet ? met : unmet) ?? '' }
  return (part) => {
    switch (part.code) {
      case 'SINCE':
        return plain(
          later?.(part.isAtLeast ? 'referrer.sinceAtLeast' : 'referrer.since', {
            date: dateText(part.sinceMs, language),
          }),
        )
      case 'SINCE_UNKNOWN':
        return plain(later?.('referrer.unknown'))
      case 'NAMED':
        if (part.isMet !== false) return plain('')
        return plain(later?.(named?.status === 'none' ? 'referrer.none' : 'referrer.other'))
      case 'OWN_STAKE': {
        const values = { have: short(part.have), need: short(part.need) }
        return condition(part.isMet, {
          met: later?.('referrer.ownFine'),
          unmet: later?.('referrer.ownLow', values),
          unknown: `${text('mine.stake.title')}: ${text('common.notKnown')}`,
        })
      }
      case 'AGENT_BALANCE':
        return condition(part.isMet, {
          met: '',
          unmet: text('agent.withoutToken'),
          unknown: text('agent.unchecked'),
        })
      case 'AGENT_STAKE': {
        const missing = (part.need ?? 0n) - (part.have ?? 0n)
        const values = { have: short(part.have), need: short(part.need), missing: short(missing) }
        return condition(part.isMet, {
          met: text('agent.fine'),
          unmet: text('agent.belowStake', values),
          unknown: text('agent.unchecked'),
        })
      }
      case 'CHANGING':
        return plain(text('agent.changeText'))
      default:
        return plain('')
    }
  }
}
