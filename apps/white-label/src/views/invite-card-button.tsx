import encodeQR from 'qr'
import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { QUIET } from '../parts/qr-path.ts'
import { ShareCardButton } from '../parts/share-card-button.tsx'

/** Shares the invitation as one picture: logo, code and what it is. */
export function InviteCardButton({ link }: { readonly link: string }): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const { symbol } = useMoney()
  return (
    <ShareCardButton
      name={`${brand.id}-invitation.png`}
      card={{
        title: text('welcome.text', { symbol }),
        figure: brand.app.name,
        line: new URL(link).host,
        code: encodeQR(link, 'raw', { border: QUIET, ecc: 'medium' }),
      }}
    />
  )
}
