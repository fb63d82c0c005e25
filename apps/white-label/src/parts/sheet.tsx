import { Dialog } from 'radix-ui'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Icon } from './icon.tsx'

/** A modal sheet. It takes the focus and returns it when closed. */
export function Sheet({
  isOpen,
  onClose,
  title,
  instead,
  children,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** Element that gets the focus if the one that opened the sheet is gone. */
  readonly instead?: RefObject<HTMLElement | null> | undefined
  readonly children: ReactNode
}): ReactNode {
  const { text } = useTexts()
  const opener = useRef<Element | null>(null)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <div className="sheet-ground" aria-hidden="true" />
        <Dialog.Content
          className="sheet"
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const { current } = opener.current?.isConnected ? opener : (instead ?? opener)
            if (current instanceof HTMLElement) current.focus()
          }}
        >
          <div className="sheet-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label={text('common.close')}>
              <Icon name="cross" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
