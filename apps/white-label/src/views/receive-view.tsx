import { formatAmount } from '@hailstone/protocol'
import { useMiner } from '@hailstone/react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useTexts } from '../app/app-context.ts'
import { useBackupHurdle } from '../app/use-backup-hurdle.ts'
import { useMoney } from '../app/use-money.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Page } from '../parts/page.tsx'
import { ShareButton } from '../parts/share-button.tsx'
import { decimalSign } from '../text/amount-text.ts'
import { readAmount } from '../text/read-amount.ts'
import { BackupNotice } from './backup-notice.tsx'

const QrPicture = lazy(() => import('../parts/qr-picture.tsx'))

/** A link that fills in the form of the other person; nothing is ever sent by a link. */
export function requestLink(origin: string, to: string, amount: string | null): string {
  const link = new URL('/wallet/send', origin)
  link.searchParams.set('to', to)
  if (amount !== null) link.searchParams.set('amount', amount)
  return link.href
}

export function ReceiveView(): ReactNode {
  const { text, language } = useTexts()
  const [parameters] = useSearchParams()
  const { address } = useMiner()
  const { decimals, symbol } = useMoney()
  const needsBackup = useBackupHurdle()
  const [entered, setEntered] = useState((parameters.get('amount') ?? '').replace('.', decimalSign(language)))
  if (needsBackup) {
    return (
      <Page title={text('wallet.receive')} back="/wallet">
        <BackupNotice>{text('wallet.needsBackup')}</BackupNotice>
      </Page>
    )
  }
  const amount = amountOf(entered)
  const link = requestLink(location.origin, address, amount === 'wrong' ? null : amount)
  return (
    <Page title={text('wallet.receive')} back="/wallet">
      <p>{text('receive.text', { symbol })}</p>
      <Suspense fallback={<div className="qr" />}>
        <QrPicture text={amount === null || amount === 'wrong' ? address : link} label={text('receive.qr')} />
      </Suspense>
      <div className="address-card">
        <AddressBlocks address={address} />
        <CopyButton value={address} label={text('receive.copyAddress')} />
      </div>
      <div className="form">
        <Field
          label={text('receive.amount', { symbol })}
          fault={amount === 'wrong' ? text('send.amountMalformed') : null}
          inputMode="decimal"
          dir="ltr"
          value={entered}
          onInput={({ currentTarget }) => setEntered(currentTarget.value)}
        />
      </div>
      <div className="actions">
        <CopyButton value={link} label={text('receive.copyLink')} />
        <ShareButton text={text('receive.share', { symbol })} link={link} />
      </div>
    </Page>
  )

  function amountOf(plain: string): string | null | 'wrong' {
    if (plain.trim() === '' || decimals === null) return null
    try {
      return formatAmount(readAmount(plain, { language, decimals }), { decimals })
    } catch {
      return 'wrong'
    }
  }
}
