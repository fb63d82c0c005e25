import decodeQR from 'qr/decode.js'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import { nativeBridge } from '../host/is-package.ts'
import type { TextKey } from '../i18n/texts.ts'

const EVERY_MS = 250
const LARGEST = 1_000

function readCode(source: CanvasImageSource, width: number, height: number): string | null {
  const scale = Math.min(1, LARGEST / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return null
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height))
  } catch {
    // This picture has no code.
    return null
  }
}

/** Scans with the camera until a code is found, or reads a picture from the device. */
export default function Scanner({ onScanned }: { readonly onScanned: (text: string) => void }): ReactNode {
  const { text } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<TextKey | null>(null)
  const scanned = useRef(onScanned)
  scanned.current = onScanned
  const native = nativeBridge()
  const ask = useAsker()

  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setInterval> | undefined
    const stop = (): void => {
      clearInterval(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    async function look(): Promise<void> {
      await ask(async (signal) => {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
        // The question for the permission may be answered after the scanner was closed.
        if (signal.aborted) stop()
      })
      const element = video.current
      if (element === null) return
      element.srcObject = stream
      await ask(() => element.play())
      timer = setInterval(() => {
        const found = readCode(element, element.videoWidth, element.videoHeight)
        if (found !== null) scanned.current(found)
      }, EVERY_MS)
    }
    look().catch((error: unknown) => {
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
      setProblem(isDenied ? 'scan.denied' : 'scan.noCamera')
    })
    return stop
  }, [])

  async function readFile(file: File | undefined): Promise<void> {
    if (file === undefined) return
    const picture = await ask(() => createImageBitmap(file).catch(() => null))
    const found = picture === null ? null : readCode(picture, picture.width, picture.height)
    if (found === null) setProblem('scan.nothing')
    else onScanned(found)
  }

  return (
    <div className="scanner">
      <video ref={video} muted playsInline aria-label={text('scan.title')} hidden={problem !== null} />
      <p role="status">{text(problem ?? 'scan.hint')}</p>
      {problem === 'scan.denied' && native !== undefined && (
        // A permission that was refused twice is not asked for again.
        <button
          type="button"
          className="button"
          onClick={() => void native.nativePromise('AppDevice', 'openSettings').catch(() => undefined)}
        >
          {text('scan.openSettings')}
        </button>
      )}
      <label className="file-picker">
        <span>{text('scan.picture')}</span>
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
        />
      </label>
    </div>
  )
}
