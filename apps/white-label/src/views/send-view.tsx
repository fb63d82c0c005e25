import { feeRuleOf } from '@hailstone/client'
import {
  type Address,
  formatAmount,
  isAddress,
  netAmount,
  parseAddress,
  transferFee,
} from '@hailstone/protocol'
import { lastValue, useBalance, useMiner, useSend, useToken } from '@hailstone/react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useApp, useEngine, useOnline, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useNativeBalance } from '../app/use-native-balance.ts'
import { codeOf, factsOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { ScanButton } from '../parts/scan-button.tsx'
import { amountText, decimalSign } from '../text/amount-text.ts'
import { paymentRequestOf } from '../text/payment-request.ts'
import { amountFault, readAmount } from '../text/read-amount.ts'
import { PaidBefore } from './paid-before.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'
import { sendFaultKey } from './send-fault.ts'
import { SendReview } from './send-review.tsx'
import { UnlockForm } from './unlock-form.tsx'

type Faults = { readonly to: TextKey | null; readonly amount: TextKey | null }

/** Contents of the form, kept until the payment is sent. */
type Draft = { readonly to: string; readonly amount: string; readonly memo: string }

const EMPTY: Draft = { to: '', amount: '', memo: '' }

function useDraft(): readonly [Draft, (change: Partial<Draft>) => void] {
  const { language } = useTexts()
  const [parameters] = useSearchParams()
  const [draft, setDraft] = useState<Draft>({
    ...EMPTY,
    to: parameters.get('to') ?? '',
    amount: (parameters.get('amount') ?? '').replace('.', decimalSign(language)),
  })
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}

export function SendView(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const { state, prepare, confirm, cancel } = useSend()
  const [draft, change] = useDraft()
  const isLocked = useEngine()?.account.status === 'locked'
  // Locked meanwhile, by another tab or by time: what was prepared is gone with the key, and the form is still filled.
  const isOver = isLocked && state.step === 'review'
  useEffect(() => {
    if (isOver) cancel()
  }, [isOver, cancel])
  // What is being prepared for somebody who leaves is declined.
  useEffect(() => cancel, [cancel])
  if (state.step === 'tracking') {
    const again = (): void => {
      change(EMPTY)
      cancel()
    }
    return (
      <Page key="tracking" title={text('tx.title')} back="/wallet">
        <PaymentTimeline payment={state.payment} onAgain={again} />
      </Page>
    )
  }
  if ((state.step === 'review' && !isOver) || state.step === 'signing') {
    const { summary, step } = state
    return (
      <Page key="review" title={text('send.reviewTitle')} back="/wallet">
        <SendReview summary={summary} isSigning={step === 'signing'} onConfirm={confirm} onCancel={cancel} />
      </Page>
    )
  }
  return (
    <Page key={isLocked ? 'locked' : 'form'} title={text('wallet.send')} back="/wallet">
      {isLocked ? (
        <>
          <Notice tone="warning">{text('mine.why.locked')}</Notice>
          <UnlockForm onUnlock={host.account.unlock} onPasskey={host.account.unlock} />
        </>
      ) : (
        <SendForm
          draft={draft}
          onChange={change}
          isBusy={state.step === 'preparing'}
          fault={state.step === 'failed' ? sendFaultKey(codeOf(state.error), factsOf(state.error)) : null}
          onSend={prepare}
        />
      )}
    </Page>
  )
}

function SendForm({
  draft,
  onChange,
  isBusy,
  fault,
  onSend,
}: {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  readonly isBusy: boolean
  readonly fault: TextKey | null
  readonly onSend: ReturnType<typeof useSend>['prepare']
}): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const [parameters] = useSearchParams()
  const { address, tokenId } = useMiner()
  const balance = lastValue(useBalance())
  const token = lastValue(useToken())
  const money = useMoney()
  const isOnline = useOnline()
  const { to, amount, memo } = draft
  const isFromLink = to !== '' && to === parameters.get('to')
  const [faults, setFaults] = useState<Faults>({ to: null, amount: null })
  const { decimals } = money
  const form = useRef<HTMLFormElement>(null)
  const native = useNativeBalance()

  function take(entered: string): void {
    const request = paymentRequestOf(entered)
    onChange({ to: request.to })
    setFaults((before) => ({ ...before, to: null }))
    if (request.amount !== null) takeAmount(request.amount.replace('.', decimalSign(language)))
  }

  /** Takes an address whose button then goes away: the focus goes on to the amount. */
  function choose(chosen: string): void {
    take(chosen)
    form.current?.querySelector<HTMLInputElement>('[inputmode=decimal]')?.focus()
  }

  function takeAmount(entered: string): void {
    onChange({ amount: entered })
    setFaults((before) => ({ ...before, amount: null }))
  }

  function recipient(): Address | TextKey {
    const plain = to.trim().toLowerCase()
    if (plain === '') return 'send.toEmpty'
    if (plain.startsWith('ref_')) return 'send.toIsCode'
    if (!isAddress(plain)) return 'send.toMalformed'
    return plain === address ? 'send.toSelf' : parseAddress(plain)
  }

  function units(): bigint | TextKey {
    if (decimals === null) return 'common.notKnown'
    if (amount.trim() === '') return 'send.amountEmpty'
    try {
      const read = readAmount(amount, { language, decimals })
      if (read === 0n) return 'send.amountZero'
      return balance !== undefined && read > balance.amount ? 'send.amountAbove' : read
    } catch (error) {
      return amountFault(error)
    }
  }

  /** Returns the fee of what is typed, or how it is counted as long as nothing is. */
  function feeLine(): string {
    if (token === undefined || token === null) return ''
    const { feeType, feeValue } = token
    if (feeType === 2) {
      const coins =
        native === null ? '—' : `${amountText(feeValue, { ...native, language })} ${native.symbol}`
      return `${text('send.nativeFee')}: ${coins}`
    }
    const typed = units()
    if (typeof typed !== 'bigint') return feeType === 1 ? text('send.feePercent') : ''
    const rule = feeRuleOf(token)
    const net = netAmount(rule, typed)
    if (net <= 0n) return text(net < 0n ? 'send.warn.feeExceeds' : 'send.warn.nothing')
    return text('wallet.fee', { fee: money.format(transferFee(rule, typed)), net: money.format(net) })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const [recipientOrFault, unitsOrFault] = [recipient(), units()]
    const isRecipient = isAddress(recipientOrFault)
    setFaults({
      to: isRecipient ? null : recipientOrFault,
      amount: typeof unitsOrFault === 'bigint' ? null : unitsOrFault,
    })
    if (!isRecipient || typeof unitsOrFault !== 'bigint') return
    onSend({ to: recipientOrFault, amount: unitsOrFault as never, tokenId, ...(memo === '' ? {} : { memo }) })
  }

  const all = balance !== undefined && decimals !== null ? formatAmount(balance.amount, { decimals }) : null
  return (
    <form ref={form} className="form" onSubmit={submit} autoComplete="off">
      {isFromLink && <Notice tone="info">{text('send.fromLink')}</Notice>}
      {!isOnline && <Notice tone="warning">{text('send.offline')}</Notice>}
      <Field
        label={text('send.to')}
        help={text('send.toHelp')}
        fault={faults.to === null ? null : text(faults.to)}
        isLong
        dir="ltr"
        value={to}
        onInput={({ currentTarget }) => take(currentTarget.value)}
        aside={<ScanButton isOpenAtOnce={parameters.has('scan')} onScanned={take} />}
      />
      {to === '' && <PaidBefore onChosen={choose} />}
      <Field
        label={text('send.amount', { symbol: money.symbol })}
        help={text('send.amountHelp', { balance: money.format(balance?.amount) })}
        fault={faults.amount === null ? null : text(faults.amount, { count: decimals ?? 0 })}
        inputMode="decimal"
        dir="ltr"
        value={amount}
        onInput={({ currentTarget }) => takeAmount(currentTarget.value)}
        aside={
          all !== null && (
            <button
              type="button"
              className="button button-quiet"
              onClick={() => takeAmount(all.replace('.', decimalSign(language)))}
            >
              {text('send.all')}
            </button>
          )
        }
      />
      <output className="muted small">{feeLine()}</output>
      <details className="details">
        <summary>{text('send.memo')}</summary>
        <Field
          label={text('send.memo')}
          help={text('send.memoHelp')}
          maxLength={512}
          value={memo}
          onInput={({ currentTarget }) => onChange({ memo: currentTarget.value })}
        />
      </details>
      {fault !== null && (
        <Notice tone="danger" role="alert">
          {text(fault)}
        </Notice>
      )}
      <BusyButton
        type="submit"
        className="button button-primary"
        isBusy={isBusy}
        disabled={!isOnline || !brand.features.send}
      >
        {text(isBusy ? 'common.working' : 'send.review')}
      </BusyButton>
    </form>
  )
}
