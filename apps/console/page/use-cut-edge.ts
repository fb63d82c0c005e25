import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * Fades the column that the edge of a scrolled table would cut: the first digits of a number look like a number. What is
 * faded says that there is more to the side. The first column stays, by its style.
 */
export function useCutEdge(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = (): void => {
      const box = element.getBoundingClientRect()
      const cells = [...(element.querySelector('tbody tr')?.children ?? [])].map((cell) =>
        cell.getBoundingClientRect(),
      )
      const stays = cells[0]?.right ?? box.left
      const cut = cells.find(({ left, right }) => left < box.right - 1 && right > box.right + 1)
      const hidden = cells.find(({ left, right }, at) => at > 0 && left < stays - 1 && right > stays + 1)
      const set = (name: string, at: number | undefined): void => {
        if (at === undefined) element.style.removeProperty(name)
        else element.style.setProperty(name, `${at - box.left}px`)
      }
      set('--cut', cut?.left)
      set('--stays', hidden === undefined ? undefined : stays)
      set('--begins', hidden?.right)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  })
  return place
}
