import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { countText } from '../../text/amount-text.ts'
import { Row } from '../more/row.tsx'

/** Row that leads to the accounts, with their number. */
export function AccountsLink(): ReactNode {
  const { host } = useApp()
  const { language } = useTexts()
  const words = useLaterTexts()
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    let isOver = false
    host.account.accounts().then(
      ({ length }) => {
        if (!isOver) setCount(length)
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [host])
  if (words === null) return null
  return (
    <Row
      href="/more/accounts"
      icon="accounts"
      states={count === null ? [] : [{ text: countText(count, language) }]}
    >
      <span>{words('accounts.title')}</span>
    </Row>
  )
}
