import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useApp } from '../app/app-context.ts'

/** Inside another page, the one for partners say, the focus may be where people type: it is left there. */
const isOurs = (): boolean => window.parent === window || document.hasFocus()

/**
 * Names the window after what is shown; when people come to it, they are at its top and its heading has the focus.
 *
 * The focus moves together with what is drawn, so that the next key already goes to the new view. A
 * heading that only changes its words, with the language say, leaves the focus where people have it.
 *
 * @param title  the heading, in the language of the app
 * @returns where the heading is to be put
 */
export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const { brand } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
    if (isOurs()) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${title} – ${brand.app.name}`
  }, [title, brand])
  return heading
}
