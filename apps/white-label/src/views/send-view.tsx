import { feeRuleOf } from '@hailstone/client'
import {
  type Address,
  type Amount,
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

/** Writes a plain amount as somebody types it in a language. */
const typedText = (plain: string, language: string): string => plain.replace('.', decimalSign(language))

function useDraft(): readonly [Draft, (change: Partial<Draft>) => void] {
  const { language } = useTexts()
  const [parameters] = useSearchParams()
  const [draft, setDraft] = useState<Draft>({
    ...EMPTY,
    to: parameters.get('to') ?? '',
    amount: typedText(parameters.get('amount') ?? '', language),
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

/** Returns the typed receiver, or what is wrong with it. */
function receiverOf(typed: string, own: Address): Address | TextKey {
  const plain = typed.trim().toLowerCase()
  if (plain === '') return 'send.toEmpty'
  if (plain.startsWith('ref_')) return 'send.toIsCode'
  if (!isAddress(plain)) return 'send.toMalformed'
  return plain === own ? 'send.toSelf' : parseAddress(plain)
}

/** Returns the typed amount in units, or what is wrong with it. */
function unitsOf(
  typed: string,
  known: {
    readonly decimals: number | null
    readonly language: string
    readonly balance: Amount | undefined
  },
): bigint | TextKey {
  const { decimals, language, balance } = known
  if (decimals === null) return 'common.notKnown'
  if (typed.trim() === '') return 'send.amountEmpty'
  try {
    const read = readAmount(typed, { language, decimals })
    if (read === 0n) return 'send.amountZero'
    return balance !== undefined && read > balance ? 'send.amountAbove' : read
  } catch (error) {
    return amountFault(error)
  }
}

function AmountField({
  amount,
  balance,
  fault,
  onChange,
}: {
  readonly amount: string
  readonly balance: Amount | undefined
  readonly fault: TextKey | null
  readonly onChange: (typed: string) => void
}): ReactNode {
  const { text, language } = useTexts()
  const { decimals, symbol, format } = useMoney()
  const all = balance !== undefined && decimals !== null ? formatAmount(balance, { decimals }) : null
  return (
    <Field
      label={text('send.amount', { symbol })}
      help={text('send.amountHelp', { balance: format(balance) })}
      fault={fault === null ? null : text(fault, { count: decimals ?? 0 })}
      inputMode="decimal"
      dir="ltr"
      value={amount}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      aside={
        all !== null && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => onChange(typedText(all, language))}
          >
            {text('send.all')}
          </button>
        )
      }
    />
  )
}

/** Shows the fee of the typed amount, or how the fee is computed while no amount can be read. */
function FeeLine({ typed }: { readonly typed: bigint | TextKey }): ReactNode {
  const { text, language } = useTexts()
  const token = lastValue(useToken())
  const money = useMoney()
  const native = useNativeBalance()
  const line = (): string => {
    if (token === undefined || token === null) return ''
    const { feeType, feeValue } = token
    if (feeType === 2) {
      const coins =
        native === null ? '—' : `${amountText(feeValue, { ...native, language })} ${native.symbol}`
      return `${text('send.nativeFee')}: ${coins}`
    }
    if (typeof typed !== 'bigint') return feeType === 1 ? text('send.feePercent') : ''
    const rule = feeRuleOf(token)
    const net = netAmount(rule, typed)
    if (net <= 0n) return text(net < 0n ? 'send.warn.feeExceeds' : 'send.warn.nothing')
    return text('wallet.fee', { fee: money.format(transferFee(rule, typed)), net: money.format(net) })
  }
  return <output className="muted small">{line()}</output>
}

type SendFormProps = {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  readonly isBusy: boolean
  readonly fault: TextKey | null
  readonly onSend: ReturnType<typeof useSend>['prepare']
}

function SendForm({ draft, onChange, isBusy, fault, onSend }: SendFormProps): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const [parameters] = useSearchParams()
  const { address, tokenId } = useMiner()
  const balance = lastValue(useBalance())?.amount
  const { decimals } = useMoney()
  const isOnline = useOnline()
  const { to, amount, memo } = draft
  const [faults, setFaults] = useState<Faults>({ to: null, amount: null })
  const form = useRef<HTMLFormElement>(null)
  const receiver = receiverOf(to, address)
  const units = unitsOf(amount, { decimals, language, balance })

  /** Changes fields, and removes the faults of their former contents. */
  function change(part: Partial<Draft>): void {
    onChange(part)
    setFaults(({ to, amount }) => ({
      to: 'to' in part ? null : to,
      amount: 'amount' in part ? null : amount,
    }))
  }

  function take(entered: string): void {
    const request = paymentRequestOf(entered)
    change({
      to: request.to,
      ...(request.amount !== null && { amount: typedText(request.amount, language) }),
    })
  }

  /** Takes an address whose button then goes away: the focus goes on to the amount. */
  function choose(chosen: string): void {
    take(chosen)
    form.current?.querySelector<HTMLInputElement>('[inputmode=decimal]')?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const isReceiver = isAddress(receiver)
    const isAmount = typeof units === 'bigint'
    setFaults({ to: isReceiver ? null : receiver, amount: isAmount ? null : units })
    if (!isReceiver || !isAmount) return
    onSend({ to: receiver, amount: units as never, tokenId, ...(memo === '' ? {} : { memo }) })
  }
  return (
    <form ref={form} className="form" onSubmit={submit} autoComplete="off">
      {to !== '' && to === parameters.get('to') && <Notice tone="info">{text('send.fromLink')}</Notice>}
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
      <AmountField
        amount={amount}
        balance={balance}
        fault={faults.amount}
        onChange={(typed) => change({ amount: typed })}
      />
      <FeeLine typed={units} />
      <details className="details">
        <summary>{text('send.memo')}</summary>
        <Field
          label={text('send.memo')}
          help={text('send.memoHelp')}
          maxLength={512}
          value={memo}
          onInput={({ currentTarget }) => change({ memo: currentTarget.value })}
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
