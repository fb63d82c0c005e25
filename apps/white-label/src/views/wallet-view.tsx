import type { PaymentInfo } from '@hailstone/client'
import { netAmount } from '@hailstone/protocol'
import { lastValue, useBalance, useMiner, usePayments } from '@hailstone/react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useOnline, useTexts } from '../app/app-context.ts'
import { useBackupHurdle } from '../app/use-backup-hurdle.ts'
import { useNativeBalance } from '../app/use-native-balance.ts'
import { useTransactions } from '../app/use-transactions.ts'
import { isPaymentOver } from '../engine/is-payment-over.ts'
import { usePayoutTexts } from '../i18n/payout-texts.ts'
import { Amount } from '../parts/amount.tsx'
import { ActionButton } from '../parts/busy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Worth } from '../parts/worth.tsx'
import { amountText, FRACTION_MAX } from '../text/amount-text.ts'
import { dateText, momentText } from '../text/time-text.ts'
import { BackupNotice } from './backup-notice.tsx'
import { BalanceLine } from './balance-line.tsx'
import { paymentStatusKey } from './payment-status.ts'

export function WalletView(): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const needsBackup = useBackupHurdle()
  const { send, receive, payout, buy } = brand.features
  const balance = useBalance()
  return (
    <Page title={text('tabs.wallet')}>
      <div className="columns">
        <div className="column">
          <div className="hero">
            <BalanceLine />
            <Worth units={lastValue(balance)?.amount} />
            <NativeBalance />
          </div>
          {needsBackup && <BackupNotice>{text('wallet.needsBackup')}</BackupNotice>}
          <nav className="round-actions" aria-label={text('tabs.wallet')}>
            {send && <RoundAction href="/wallet/send" icon="send" label={text('wallet.send')} />}
            {receive && !needsBackup && (
              <RoundAction href="/wallet/receive" icon="receive" label={text('wallet.receive')} />
            )}
            {send && <RoundAction href="/wallet/send?scan" icon="scan" label={text('scan.title')} />}
          </nav>
          {send && payout && <PayoutLink />}
          {buy && brand.links.buy.length > 0 && (
            <div className="actions">
              {brand.links.buy.map(({ label, url }) => (
                <a key={url} className="button" href={url} target="_blank" rel="noopener noreferrer">
                  {text('wallet.buyAt', { place: label })}
                </a>
              ))}
            </div>
          )}
        </div>
        <Activity />
      </div>
    </Page>
  )
}

function PayoutLink(): ReactNode {
  const payoutText = usePayoutTexts()
  const payout = useEngine()?.payout ?? null
  if (payoutText === null) return null
  return (
    <div className="actions">
      <Link href="/wallet/payouts" className="button button-quiet">
        {payoutText(payout === null || payout.why === 'notAgreed' ? 'payout.title' : 'payout.isOn')}
      </Link>
    </div>
  )
}

const RoundAction = ({
  href,
  icon,
  label,
}: {
  readonly href: string
  readonly icon: IconName
  readonly label: string
}): ReactNode => (
  <Link href={href} className="round-action">
    <span className="round-ground">
      <Icon name={icon} />
    </span>
    {label}
  </Link>
)

/** The native balance, shown if it is not the mined token: the fees of some tokens are paid in it. */
function NativeBalance(): ReactNode {
  const { text, language } = useTexts()
  const native = useNativeBalance()
  if (native === null) return null
  const { amount, decimals, symbol } = native
  return (
    <p className="muted">
      {text('wallet.native', {
        amount:
          amount === null
            ? '—'
            : `${amountText(amount, { language, decimals, fractionMax: FRACTION_MAX })} ${symbol}`,
      })}
    </p>
  )
}

function Activity(): ReactNode {
  const { text, language } = useTexts()
  const isOnline = useOnline()
  const payments = usePayments()
  const { rows, isLast, isRead, why, readAtMs, readMore, refresh } = useTransactions()
  const isOld = readAtMs !== null && (why !== null || !isOnline || !isRead)
  const { height } = useMiner()
  const current = height?.value ?? 0
  useEffect(() => void refresh(), [current, refresh])
  const pending = payments.filter(({ state }) => !isPaymentOver(state)).reverse()
  const isPending = new Set(pending.map(({ hash }) => String(hash)))
  const known = new Set(rows.map(({ hash }) => String(hash)))
  const failed = payments
    .filter(
      ({ state, hash }) => isPaymentOver(state) && state.status !== 'confirmed' && !known.has(String(hash)),
    )
    .reverse()
  // Transfers of another token may be all that was read.
  const isWhole = readAtMs !== null && (isLast || !isRead)
  const isEmpty = isWhole && rows.length + pending.length + failed.length === 0
  return (
    <Card title={text('wallet.activity')}>
      {why !== null && isOnline && (
        <Notice tone="warning" role="status">
          {text('wallet.activityFailed')}
        </Notice>
      )}
      {isOld && (
        <p className="muted small">{text('common.asOf', { time: momentText(readAtMs, language) })}</p>
      )}
      {readAtMs === null && !isOnline && <p className="muted">{text('common.notKnown')}</p>}
      {pending.length > 0 && (
        <ol className="rows" aria-label={text('wallet.pending')}>
          {pending.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} />
          ))}
        </ol>
      )}
      {readAtMs === null && why === null && isOnline && <SkeletonRows on="network" />}
      {isEmpty && <Empty art="noActivity">{text('wallet.empty')}</Empty>}
      <ol className={isOld ? 'rows rows-old' : 'rows'}>
        {failed.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
        {rows
          .filter(({ hash }) => !isPending.has(String(hash)))
          .map((row) => (
            <ActivityRow key={row.index} row={row} />
          ))}
      </ol>
      {isRead && !isLast && (
        <ActionButton className="button" act={readMore} working={text('common.loading')}>
          {text('common.more')}
        </ActionButton>
      )}
    </Card>
  )
}

function PaymentRow({ payment }: { readonly payment: PaymentInfo }): ReactNode {
  const { text, language } = useTexts()
  const { id, hash, to, amount, state, createdAtMs } = payment
  return (
    <li className="row" data-payment={id} data-status={state.status}>
      <Link href={`/tx/${hash ?? id}`} className="row-link">
        <Identicon address={to} />
        <span className="row-main">
          <span>
            {text('wallet.sentTo')} <ShortHash hash={to} explorer={null} kind="account" />
          </span>
          <span className="row-amount">
            <Amount units={amount} sign="−" isPlain />
          </span>
          <span className="muted small">
            <b>{text(paymentStatusKey(state))}</b> · {dateText(createdAtMs, language)}
          </span>
        </span>
      </Link>
    </li>
  )
}

type Row = ReturnType<typeof useTransactions>['rows'][number]

function ActivityRow({ row }: { readonly row: Row }): ReactNode {
  const { text, language } = useTexts()
  const isOutgoing = row.recordType === 'iout'
  const isRejected = row.status !== 'confirmed'
  return (
    <li className="row" data-hash={row.hash} data-status={row.status}>
      <Link href={`/tx/${row.hash}`} className="row-link">
        <span className="row-main">
          <span>{text(isOutgoing ? 'wallet.sent' : 'wallet.received')}</span>
          <span className={`row-amount ${isRejected ? 'struck' : isOutgoing ? '' : 'good'}`}>
            <Amount units={isOutgoing ? row.amount : arrivedOf(row)} sign={isOutgoing ? '−' : '+'} isPlain />
          </span>
          <span className="muted small">
            {isRejected && <b className="bad">{text('tx.rejected')} · </b>}
            {dateText(row.time * 1000, language)}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Amount that arrived: the list has the gross amount, from which the token's fee is subtracted. */
function arrivedOf({ amount, feeType, feeValue, feeMinimum }: Row): bigint | null {
  if (feeType === null || feeValue === null) return null
  return netAmount({ feeType, feeValue, feeMinimum: feeMinimum ?? (0n as typeof feeValue) }, amount)
}
