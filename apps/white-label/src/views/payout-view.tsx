import { feeRuleOf } from '@hailstone/client'
import {
  type Address,
  formatAmount,
  isAddress,
  netAmount,
  parseAddress,
  type TokenId,
  transferFee,
} from '@hailstone/protocol'
import { lastValue, useMiner, useToken } from '@hailstone/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import type { PayoutSetting, PayoutState, PayoutWait } from '../engine/payout-setting.ts'
import { type PayoutKey, usePayoutTexts } from '../i18n/payout-texts.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { ActionButton, BusyButton } from '../parts/busy-button.tsx'
import { Choice } from '../parts/choice.tsx'
import { Facts } from '../parts/facts.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { ScanButton } from '../parts/scan-button.tsx'
import { decimalSign } from '../text/amount-text.ts'
import { paymentRequestOf } from '../text/payment-request.ts'
import { amountFault, readAmount } from '../text/read-amount.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { UnlockForm } from './unlock-form.tsx'

const DAY_MS = 86_400_000
const periods = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const
type Period = keyof typeof periods
const periodKeys: Readonly<Record<Period, PayoutKey>> = {
  day: 'payout.day',
  week: 'payout.week',
  month: 'payout.month',
}
const periodNames = Object.keys(periods) as Period[]
const periodOf = (everyMs: number | undefined) => periodNames.find((name) => periods[name] === everyMs)

/** Values of the form. The height is read when the person agrees. */
type Draft = Pick<PayoutSetting, 'to' | 'tokenId' | 'decimals' | 'above' | 'least' | 'everyMs'>

const waitKeys: Readonly<Record<PayoutWait, PayoutKey>> = {
  receiverNotConfirmed: 'payout.waits.again',
  receiverIsMiner: 'payout.waits.again',
  notAgreed: 'payout.waits.again',
  chainNotProved: 'payout.waits.unknown',
  balanceUnknown: 'payout.waits.unknown',
  balanceStale: 'payout.waits.unknown',
  stakeUnknown: 'payout.waits.unknown',
  feesUnknown: 'payout.waits.unknown',
  paymentUnderWay: 'payout.waits.underWay',
  paidThisPeriod: 'payout.waits.paid',
  rejectedThisPeriod: 'payout.waits.failed',
  tooLittle: 'payout.waits.tooLittle',
  feeTakesAll: 'payout.waits.feeTakesAll',
  paidElsewhere: 'payout.waits.elsewhere',
  differs: 'payout.waits.failed',
  lacksFunds: 'payout.waits.failed',
  belowStake: 'payout.waits.failed',
  failed: 'payout.waits.failed',
}

/** Returns a rule that the key has verified; null for one that another page of this origin may have made up. */
const verified = (payout: PayoutState | null): PayoutSetting | null =>
  payout === null || payout.why === null || payout.why === 'notAgreed' || payout.why === 'failed'
    ? null
    : payout.setting

/** Shows the payout rule and its current result. People can set up another one and confirm it as they confirm a payment. */
export function PayoutView(): ReactNode {
  const { host, announce } = useApp()
  const { text } = useTexts()
  const payoutText = usePayoutTexts()
  const engine = useEngine()
  const payout = engine?.payout ?? null
  const isLocked = engine?.account.status === 'locked'
  const [isChanging, setChanging] = useState(false)
  const [draft, setDraft] = useState<Draft | null>(null)
  if (payoutText === null)
    return (
      <Page title="" back="/wallet">
        <Loading on="files" />
      </Page>
    )
  const done = (): void => {
    setDraft(null)
    setChanging(false)
  }
  return (
    <Page title={draft === null ? payoutText('payout.title') : text('send.reviewTitle')} back="/wallet">
      {draft !== null ? (
        <Review draft={draft} onDone={done} onCancel={() => setDraft(null)} />
      ) : (
        <>
          <p>{payoutText('payout.text')}</p>
          <p className="muted">{payoutText('payout.runs')}</p>
          {payout !== null && <Current payout={payout} isLocked={isLocked} />}
          {payout !== null && !isChanging && (
            <div className="actions">
              <button type="button" className="button" onClick={() => setChanging(true)}>
                {payoutText('payout.change')}
              </button>
              <ActionButton
                className="button button-quiet"
                act={() => host.leader.setPayout(null)}
                onDone={() => announce(payoutText('payout.isOff'))}
              >
                {payoutText('payout.switchOff')}
              </ActionButton>
            </div>
          )}
          {(payout === null || isChanging) &&
            (isLocked ? (
              <>
                <Notice tone="warning">{text('mine.why.locked')}</Notice>
                <UnlockForm onUnlock={host.account.unlock} onPasskey={host.account.unlock} />
              </>
            ) : (
              <PayoutForm before={verified(payout)} onReview={setDraft} />
            ))}
        </>
      )}
    </Page>
  )
}

/** The facts of a rule. */
function RuleFacts({ rule }: { readonly rule: Draft }): ReactNode {
  const { text } = useTexts()
  const payoutText = usePayoutTexts()
  const money = useMoney()
  const { symbol } = money
  if (payoutText === null) return null
  const period = periodOf(rule.everyMs)
  return (
    <Facts
      rows={[
        [text('send.to'), <AddressBlocks key="to" address={rule.to} />],
        [payoutText('payout.above', { symbol }), money.format(rule.above)],
        [payoutText('payout.least', { symbol }), money.format(rule.least)],
        period !== undefined && [payoutText('payout.every'), payoutText(periodKeys[period])],
      ]}
    />
  )
}

function Current({
  payout: { setting, why },
  isLocked,
}: {
  readonly payout: PayoutState
  readonly isLocked: boolean
}): ReactNode {
  const payoutText = usePayoutTexts()
  if (payoutText === null) return null
  const key = isLocked ? 'payout.locked' : why === null ? 'payout.isOn' : waitKeys[why]
  const needsPerson = isLocked || /again|elsewhere|failed/.test(key)
  return (
    <section className="card" data-payout={isLocked ? 'locked' : (why ?? 'on')}>
      <RuleFacts rule={setting} />
      <Notice tone={needsPerson ? 'warning' : 'info'} role="status">
        {payoutText(key)}
      </Notice>
    </section>
  )
}

type Faults = { readonly [name in 'to' | 'above' | 'least']: TextKey | null }

type FormProps = {
  readonly before: PayoutSetting | null
  readonly onReview: (draft: Draft) => void
}

/** The form, once decimals and stake are known: its fields begin with amounts. */
function PayoutForm(props: FormProps): ReactNode {
  const { text } = useTexts()
  const stakes = useEngine()?.snapshot?.stakes
  const { decimals } = useMoney()
  const minimum = stakes?.token?.minimumStake
  if (decimals !== null && minimum !== undefined)
    return <RuleForm {...props} decimals={decimals} minimum={minimum} />
  return stakes ? <Notice tone="warning">{text('common.notKnown')}</Notice> : <Loading on="network" />
}

function RuleForm({
  before,
  onReview,
  decimals,
  minimum,
}: FormProps & { readonly decimals: number; readonly minimum: bigint }): ReactNode {
  const { text, language } = useTexts()
  const payoutText = usePayoutTexts()
  const { address, tokenId } = useMiner()
  const money = useMoney()
  const { symbol } = money
  const typed = (units: bigint | undefined): string =>
    units === undefined ? '' : formatAmount(units as never, { decimals }).replace('.', decimalSign(language))
  const [to, setTo] = useState(before?.to ?? '')
  const [above, setAbove] = useState(typed(before?.above ?? minimum))
  const [least, setLeast] = useState(typed(before?.least))
  const [period, setPeriod] = useState<Period>(periodOf(before?.everyMs) ?? 'day')
  const [faults, setFaults] = useState<Faults>({ to: null, above: null, least: null })
  if (payoutText === null) return null

  const recipient = (): Address | TextKey => {
    const plain = to.trim().toLowerCase()
    if (plain === '') return 'send.toEmpty'
    if (plain.startsWith('ref_')) return 'send.toIsCode'
    if (!isAddress(plain)) return 'send.toMalformed'
    return plain === address ? 'send.toSelf' : parseAddress(plain)
  }

  const units = (amount: string, isZeroFine: boolean): bigint | TextKey => {
    if (amount.trim() === '') return 'send.amountEmpty'
    try {
      const read = readAmount(amount, { language, decimals })
      return read === 0n && !isZeroFine ? 'send.amountZero' : read
    } catch (error) {
      return amountFault(error)
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const [receiver, stays, smallest] = [recipient(), units(above, true), units(least, false)]
    const isReceiver = isAddress(receiver)
    setFaults({
      to: isReceiver ? null : receiver,
      above: typeof stays === 'bigint' ? null : stays,
      least: typeof smallest === 'bigint' ? null : smallest,
    })
    if (!isReceiver || typeof stays !== 'bigint' || typeof smallest !== 'bigint') return
    const everyMs = periods[period]
    onReview({ to: receiver, tokenId: tokenId as TokenId, decimals, above: stays, least: smallest, everyMs })
  }

  const faultOf = (key: TextKey | null): string | null => key && text(key, { count: decimals })
  return (
    <form className="form" onSubmit={submit} autoComplete="off">
      <Field
        label={text('send.to')}
        help={text('send.toHelp')}
        fault={faultOf(faults.to)}
        isLong
        dir="ltr"
        value={to}
        onInput={({ currentTarget }) => setTo(paymentRequestOf(currentTarget.value).to)}
        aside={<ScanButton onScanned={(scanned) => setTo(paymentRequestOf(scanned).to)} />}
      />
      <Field
        label={payoutText('payout.above', { symbol })}
        help={payoutText('payout.aboveHelp', { stake: money.format(minimum) })}
        fault={faultOf(faults.above)}
        inputMode="decimal"
        dir="ltr"
        value={above}
        onInput={({ currentTarget }) => setAbove(currentTarget.value)}
      />
      <Field
        label={payoutText('payout.least', { symbol })}
        help={payoutText('payout.leastHelp')}
        fault={faultOf(faults.least)}
        inputMode="decimal"
        dir="ltr"
        value={least}
        onInput={({ currentTarget }) => setLeast(currentTarget.value)}
      />
      <p>{payoutText('payout.every')}</p>
      <Choice
        label={payoutText('payout.every')}
        value={period}
        options={periodNames.map((value) => ({ value, label: payoutText(periodKeys[value]) }))}
        onChange={setPeriod}
      />
      <BusyButton type="submit" className="button button-primary" isBusy={false}>
        {text('send.review')}
      </BusyButton>
    </form>
  )
}

/** Shows a rule again, with the fee of its smallest payout, and asks for the passphrase or passkey to confirm exactly that rule. */
function Review({
  draft,
  onDone,
  onCancel,
}: {
  readonly draft: Draft
  readonly onDone: () => void
  readonly onCancel: () => void
}): ReactNode {
  const { host, announce } = useApp()
  const { text } = useTexts()
  const payoutText = usePayoutTexts()
  const money = useMoney()
  const token = lastValue(useToken())
  /** Attempts that ended because the height of the chain could not be read. */
  const [unread, setUnread] = useState(0)
  if (payoutText === null) return null
  const rule = token && feeRuleOf(token)
  const net = rule ? netAmount(rule, draft.least as never) : null
  return (
    <section className="review" aria-label={payoutText('payout.title')}>
      <RuleFacts rule={draft} />
      {rule && net !== null && (
        <p>
          {payoutText('payout.example', { amount: money.format(draft.least) })}:{' '}
          {net > 0n
            ? text('wallet.fee', {
                fee: money.format(transferFee(rule, draft.least as never)),
                net: money.format(net),
              })
            : text('send.warn.nothing')}
        </p>
      )}
      <p>{payoutText('payout.agreeText')}</p>
      <p>{payoutText('payout.runs')}</p>
      <Notice tone="warning">{payoutText('payout.oneDevice')}</Notice>
      {unread > 0 && (
        <Notice tone="warning" role="alert">
          {text('common.apiDown')}
        </Notice>
      )}
      <ConfirmForm
        key={unread}
        action={payoutText('payout.agree')}
        working={text('lock.opening')}
        cancel={text('common.cancel')}
        onAgree={async (opening, signal) => {
          const height = await host.client.getHeight({}).catch(() => null)
          if (height === null) return false
          const setting: PayoutSetting = { ...draft, height }
          const proof = await host.account.consent(setting, opening, signal)
          signal.throwIfAborted()
          await host.leader.setPayout({ ...setting, proof })
          return true
        }}
        onDone={(isSet) => {
          if (!isSet) return setUnread(unread + 1)
          announce(payoutText('payout.isOn'))
          onDone()
        }}
        onCancel={onCancel}
      />
    </section>
  )
}
