import { formatAmount } from '@hailstone/protocol'
import { useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { useBackupHurdle } from '../app/use-backup-hurdle.ts'
import { useMoney } from '../app/use-money.ts'
import { appPlace } from '../host/app-place.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Identicon } from '../parts/identicon.tsx'
import { FailedPart, loaded, NothingInstead } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { ShareButton } from '../parts/share-button.tsx'
import { Worth } from '../parts/worth.tsx'
import { decimalSign } from '../text/amount-text.ts'
import { amountFault, readAmount } from '../text/read-amount.ts'
import { requestLink } from '../text/request-link.ts'
import { BackupNotice } from './backup-notice.tsx'

const QrPicture = loaded(() => import('../parts/qr-picture.tsx'), 'QrPicture', FailedPart)
const TestCoins = loaded(() => import('./test-coins.tsx'), 'TestCoins', NothingInstead)

export function ReceiveView(): ReactNode {
  const { brand } = useApp()
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
  const { amount, units, fault } = requested(entered)
  const link = requestLink(appPlace(brand), address, amount)
  return (
    <Page title={text('wallet.receive')} back="/wallet">
      <p>{text('receive.text', { symbol })}</p>
      <Suspense fallback={<div className="qr" />}>
        <QrPicture text={amount === null ? address : link} label={text('receive.qr')} />
      </Suspense>
      <div className="address-card">
        <Identicon address={address} />
        <AddressBlocks address={address} />
        <CopyButton value={address} label={text('receive.copyAddress')} />
      </div>
      <div className="form">
        <Field
          label={text('receive.amount', { symbol })}
          fault={fault === null ? null : text(fault, { count: decimals ?? 0 })}
          inputMode="decimal"
          dir="ltr"
          value={entered}
          onInput={({ currentTarget }) => setEntered(currentTarget.value)}
        />
        <Worth units={units} />
      </div>
      <div className="actions">
        <CopyButton value={link} label={text('receive.copyLink')} />
        <ShareButton text={text('receive.share', { symbol })} link={link} />
        <Suspense fallback={null}>
          <TestCoins />
        </Suspense>
      </div>
    </Page>
  )

  function requested(plain: string): {
    readonly amount: string | null
    readonly units: bigint | null
    readonly fault: TextKey | null
  } {
    if (plain.trim() === '' || decimals === null) return { amount: null, units: null, fault: null }
    try {
      const read = readAmount(plain, { language, decimals })
      return { amount: formatAmount(read, { decimals }), units: read, fault: null }
    } catch (error) {
      return { amount: null, units: null, fault: amountFault(error) }
    }
  }
}
