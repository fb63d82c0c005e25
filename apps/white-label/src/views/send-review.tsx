import type { PaymentSummary, PaymentWarning } from '@hailstone/client'
import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useNativeBalance } from '../app/use-native-balance.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Worth } from '../parts/worth.tsx'
import { amountText } from '../text/amount-text.ts'
import { ConfirmForm } from './confirm-form.tsx'

const warningKeys: Readonly<Record<PaymentWarning['kind'], TextKey>> = {
  balanceTooLow: 'send.warn.balance',
  feeExceedsAmount: 'send.warn.feeExceeds',
  nativeBalanceTooLow: 'send.warn.nativeFee',
  ownerCannotPayFee: 'send.warn.owner',
  nothingArrives: 'send.warn.nothing',
  highFee: 'send.warn.highFee',
  sentToSelf: 'send.toSelf',
  stakeBelowMinimum: 'send.warn.stake',
  paidWithoutJournal: 'send.warn.paidElsewhere',
}

/** Warnings of payments that are good as they are. All others mean that the payment loses coins or fails. */
const warningTones: Partial<Record<PaymentWarning['kind'], 'info' | 'warning'>> = {
  sentToSelf: 'info',
  paidWithoutJournal: 'warning',
}

/** Shows what will be signed, read from the bytes themselves. */
export function SendReview({
  summary,
  isSigning,
  onConfirm,
  onCancel,
}: {
  readonly summary: PaymentSummary
  readonly isSigning: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}): ReactNode {
  const { brand, host } = useApp()
  const { text, language } = useTexts()
  const native = useNativeBalance()
  const { amount, fee, net, nativeFee, decimals, symbol, to, memo, warnings, nonce, signingHash, tokenId } =
    summary
  const { areDecimalsKnown } = summary
  // The brand's symbol applies to its own token only. The signed bytes name the token by its id.
  const { symbol: ownSymbol } = useMoney()
  const word = tokenId === brand.token.hash ? ownSymbol : symbol
  const coins = (units: bigint): string => `${amountText(units, { language, decimals })} ${word}`

  return (
    <section className="review" aria-label={text('send.review')}>
      {warnings.map((warning) => (
        <Notice key={warning.kind} tone={warningTones[warning.kind] ?? 'danger'} role="alert">
          {text(warningKeys[warning.kind])}
        </Notice>
      ))}
      <p className="visually-hidden">{text('wallet.fee', { fee: coins(fee), net: coins(net) })}</p>
      <dl className="facts">
        <dt>{text('send.to')}</dt>
        <dd className="with-identicon">
          <Identicon address={to} />
          <AddressBlocks address={to} />
        </dd>
        <dt>{text('send.gross')}</dt>
        <dd data-review="gross">{coins(amount)}</dd>
        {tokenId === brand.token.hash && areDecimalsKnown && <Worth units={amount} tag="dd" />}
        {!areDecimalsKnown && (
          <>
            <dt>{text('send.units')}</dt>
            <dd data-review="units">{String(amount)}</dd>
          </>
        )}
        <dt>{text('send.fee')}</dt>
        <dd data-review="fee">{coins(fee)}</dd>
        {nativeFee > 0n && (
          <>
            <dt>{text('send.nativeFee')}</dt>
            <dd>
              {amountText(nativeFee, { language, decimals: native?.decimals ?? 10 })} {native?.symbol ?? ''}
            </dd>
          </>
        )}
        <dt>{text('send.net')}</dt>
        <dd data-review="net">
          <strong>{coins(net)}</strong>
        </dd>
        {memo !== '' && (
          <>
            <dt>{text('send.memo')}</dt>
            <dd>{memo}</dd>
          </>
        )}
      </dl>
      <details className="details">
        <summary>{text('send.bytes')}</summary>
        <dl className="facts">
          <dt>{text('about.token')}</dt>
          <dd className="hash">{tokenId}</dd>
          <dt>{text('send.nonce')}</dt>
          <dd>{String(nonce)}</dd>
          <dt>{text('send.signingHash')}</dt>
          <dd className="hash">{signingHash}</dd>
        </dl>
      </details>
      <ConfirmForm
        action={text('send.confirm')}
        working={text('send.signing')}
        cancel={text('common.cancel')}
        isSigning={isSigning}
        onAgree={(opening, signal) => host.agree(summary, opening, signal)}
        onDone={onConfirm}
        onCancel={onCancel}
      />
    </section>
  )
}
