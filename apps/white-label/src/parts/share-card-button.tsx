import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { downloadBlob } from '../app/save-text.ts'
import { useMode } from '../app/use-mode.ts'
import { nativeBridge } from '../host/is-package.ts'
import { ActionButton } from './busy-button.tsx'
import { type CardContent, drawCard } from './draw-card.ts'

/**
 * Shares a picture through the system's share sheet, or saves it as a file if the system has no share sheet. The
 * picture shows no address and no balance. Hidden in packages: their view can neither share nor save pictures.
 */
export function ShareCardButton({
  card,
  name,
}: {
  readonly card: CardContent
  /** Name of the file. */
  readonly name: string
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const mode = useMode()
  if (nativeBridge() !== undefined) return null
  async function share(signal: AbortSignal): Promise<void> {
    const { logo, logoDark } = brand.assets
    const picture = await drawCard(card, `/brand/${mode === 'dark' ? (logoDark ?? logo) : logo}`)
    if (signal.aborted) return
    const file = new File([picture], name, { type: 'image/png' })
    const given = { files: [file], text: card.line }
    // Closing the sheet is not an error.
    if (navigator.canShare?.(given) === true) await navigator.share(given).catch(() => undefined)
    else downloadBlob(name, picture)
  }
  const canShare = typeof navigator.canShare === 'function'
  return (
    <ActionButton className="button button-primary" act={share} working={text('common.working')}>
      {text(canShare ? 'common.share' : 'common.savePicture')}
    </ActionButton>
  )
}
