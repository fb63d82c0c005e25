import type { PaymentSummary, PaymentWarning } from '@hailstone/client'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import { useMoney } from '../app/use-money.ts'
import { useNativeBalance } from '../app/use-native-balance.ts'
import type { Opening } from '../engine/account-store.ts'
import { codeOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { BusyButton } from '../parts/busy-button.tsx'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { PassphraseField } from '../parts/passphrase-field.tsx'
import { Worth } from '../parts/worth.tsx'
import { amountText } from '../text/amount-text.ts'
import { ByPasskey } from './by-passkey.tsx'

/**
 * Time the button must have been visible before it signs, in ms: protects against a click meant for something else.
 */
const SEEN_MS = 500

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
  const ask = useAsker()
  const [isSeen, setSeen] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const account = useEngine()?.account
  const asksPassphrase = account?.status !== 'open' || account.isSealed
  const { amount, fee, net, nativeFee, decimals, symbol, to, memo, warnings, nonce, signingHash, tokenId } =
    summary
  const { areDecimalsKnown } = summary
  // The brand's symbol applies to its own token only. The signed bytes name the token by its id.
  const { symbol: ownSymbol } = useMoney()
  const word = tokenId === brand.token.hash ? ownSymbol : symbol
  const coins = (units: bigint): string => `${amountText(units, { language, decimals })} ${word}`

  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), SEEN_MS)
    return () => clearTimeout(timer)
  }, [])

  const agree = (opening: Opening, signal: AbortSignal): Promise<void> => host.agree(summary, opening, signal)

  async function confirm(): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      // Leaving during the check of passphrase or passkey cancels the payment.
      await ask((signal) => agree(passphrase, signal))
      onConfirm()
    } catch (error) {
      setFault(text(codeOf(error) === 'KEYSTORE_UNLOCK_FAILED' ? 'lock.wrong' : 'lock.failed'))
      setBusy(false)
    }
  }

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
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSeen) void confirm()
        }}
        autoComplete="off"
      >
        {asksPassphrase && (
          <PassphraseField
            value={passphrase}
            onInput={(next) => {
              setPassphrase(next)
              setFault(null)
            }}
            fault={fault}
          />
        )}
        <BusyButton
          type="submit"
          className="button button-primary"
          isBusy={isBusy || isSigning}
          disabled={!isSeen}
        >
          {text(isBusy || isSigning ? 'send.signing' : 'send.confirm')}
        </BusyButton>
        {asksPassphrase && (
          <ByPasskey isDisabled={!isSeen || isBusy || isSigning} onSecret={agree} onDone={onConfirm} />
        )}
        <button type="button" className="button button-quiet" onClick={onCancel} disabled={isSigning}>
          {text('common.cancel')}
        </button>
      </form>
    </section>
  )
}
