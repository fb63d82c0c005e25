import { type Address, decodeReferralCode, isAddress, parseAddress, type TokenId } from '@hailstone/protocol'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { judgeAgent } from '../app/judge-agent.ts'
import { useAsker } from '../app/use-asker.ts'
import type { TextKey, TextValues } from '../i18n/texts.ts'
import { BusyButton, NotDone } from '../parts/busy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'
import { ScanButton } from '../parts/scan-button.tsx'
import { amountText } from '../text/amount-text.ts'

/** Result of looking up a possible agent. */
type Verdict =
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly key: TextKey }
  | { readonly kind: 'asking'; readonly agent: Address }
  | { readonly kind: 'fine'; readonly agent: Address }
  /** The agent can be chosen, with a warning. */
  | {
      readonly kind: 'doubtful'
      readonly agent: Address
      readonly key: TextKey
      readonly values?: TextValues
    }

/** Reads a code, an address, or a link that contains a code. Returns null for any other text. */
function agentOf(entered: string): Address | null {
  const plain = entered.trim()
  const code = /ref_[0-9a-fA-F]*/.exec(plain)?.[0]
  try {
    if (code !== undefined) return decodeReferralCode(code)
    return isAddress(plain.toLowerCase()) ? parseAddress(plain.toLowerCase()) : null
  } catch {
    return null
  }
}

function useVerdict(entered: string, own: Address): Verdict {
  const { host, brand } = useApp()
  const { language } = useTexts()
  const [answer, setAnswer] = useState<Verdict>({ kind: 'empty' })
  const agent = agentOf(entered)
  useEffect(() => {
    if (agent === null || agent === own) return
    let isOver = false
    const tell = (verdict: Verdict): void => {
      if (!isOver) setAnswer(verdict)
    }
    tell({ kind: 'asking', agent })
    const tokenId = brand.token.hash as TokenId
    void judgeAgent(host.client, { agent, tokenId }).then((found) => {
      if (found.kind === 'fine') return tell({ kind: 'fine', agent })
      const key = `agent.${found.kind}` as const
      if (found.kind !== 'belowStake') return tell({ kind: 'doubtful', agent, key })
      const { have, need, decimals, symbol } = found
      const coins = (units: bigint): string => `${amountText(units, { language, decimals })} ${symbol}`.trim()
      const values = { have: coins(have), need: coins(need), missing: coins(need - have) }
      tell({ kind: 'doubtful', agent, key, values })
    })
    return () => {
      isOver = true
    }
  }, [agent, own, host, brand, language])
  if (entered.trim() === '') return { kind: 'empty' }
  if (agent === null) return { kind: 'wrong', key: 'agent.malformed' }
  if (agent === own) return { kind: 'wrong', key: 'agent.own' }
  return 'agent' in answer && answer.agent === agent ? answer : { kind: 'asking', agent }
}

/** A form for an agent; looks it up on the network while the person types. */
export function AgentForm({
  own,
  first,
  takeLabel,
  onTake,
  onDone,
  children,
}: {
  readonly own: Address
  /** Initial text. */
  readonly first: string
  readonly takeLabel: string
  readonly onTake: (agent: Address) => Promise<void>
  /** Called when `onTake` has resolved. */
  readonly onDone?: (() => void) | undefined
  readonly children?: ReactNode
}): ReactNode {
  const { text } = useTexts()
  const ask = useAsker()
  const [entered, setEntered] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const verdict = useVerdict(entered, own)

  async function take(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!('agent' in verdict)) return
    setBusy(true)
    setFailed(false)
    await ask(() => onTake(verdict.agent))
      .then(onDone, () => setFailed(true))
      .finally(() => setBusy(false))
  }

  return (
    <form className="form" onSubmit={(event) => void take(event)} autoComplete="off">
      <Field
        label={text('agent.label')}
        help={text('agent.help')}
        fault={verdict.kind === 'wrong' ? text(verdict.key) : null}
        isLong
        dir="ltr"
        value={entered}
        onInput={({ currentTarget }) => setEntered(currentTarget.value)}
        aside={<ScanButton onScanned={setEntered} />}
      />
      <div aria-live="polite">
        {verdict.kind === 'asking' && <p className="muted">{text('agent.checking')}</p>}
        {verdict.kind === 'fine' && <Notice tone="success">{text('agent.fine')}</Notice>}
        {verdict.kind === 'doubtful' && <Notice tone="warning">{text(verdict.key, verdict.values)}</Notice>}
      </div>
      <div className="actions">
        <BusyButton
          type="submit"
          className="button button-primary"
          isBusy={isBusy}
          disabled={!('agent' in verdict)}
        >
          {takeLabel}
        </BusyButton>
        {children}
      </div>
      {hasFailed && <NotDone />}
    </form>
  )
}
