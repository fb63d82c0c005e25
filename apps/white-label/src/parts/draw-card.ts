/** Content of a picture to share. */
export type CardContent = {
  readonly title: string
  readonly figure: string
  readonly line: string
  /** Rows of a QR code, true for dark; null for none. */
  readonly code: readonly (readonly boolean[])[] | null
}

const SIDE = 1080
const EDGE = 88

async function loadPicture(address: string): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = address
  // A card without a logo is better than no card.
  return image.decode().then(
    () => image,
    () => null,
  )
}

/** Sets the largest font size up to `most` at which a text fits. */
function fit(context: CanvasRenderingContext2D, text: string, most: number, weight: number): void {
  const { fontFamily } = getComputedStyle(document.body)
  for (let size = most; size > 20; size -= 4) {
    context.font = `${weight} ${size}px ${fontFamily}`
    if (context.measureText(text).width <= SIDE - 2 * EDGE) return
  }
}

/** Draws a square card in the colours and the typeface that the page has now. */
export async function drawCard({ title, figure, line, code }: CardContent, logo: string): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser draws no pictures.')
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(`--color-${name}`).trim()
  context.fillStyle = colour('background')
  context.fillRect(0, 0, SIDE, SIDE)
  context.fillStyle = colour('primary')
  context.fillRect(0, SIDE - 24, SIDE, 24)
  context.textAlign = 'center'
  context.direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  const picture = await loadPicture(logo)
  if (picture !== null) {
    const scale = Math.min(640 / picture.width, 160 / picture.height)
    const [width, height] = [picture.width * scale, picture.height * scale]
    context.drawImage(picture, (SIDE - width) / 2, EDGE, width, height)
  }
  const write = (text: string, y: number, size: number, weight: number, name: string): void => {
    fit(context, text, size, weight)
    context.fillStyle = colour(name)
    context.fillText(text, SIDE / 2, y)
  }
  if (code === null) {
    write(title, 460, 56, 600, 'text-muted')
    write(figure, 620, 148, 750, 'text')
    write(line, 820, 44, 400, 'text')
  } else {
    drawCode(context, code)
    write(title, 350, 52, 700, 'text')
    write(figure, 940, 40, 600, 'text')
    write(line, 1010, 34, 400, 'text-muted')
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('No picture was made.')) : resolve(blob)))
  })
}

/** Scanners want black on white with a quiet edge, which the rows already have. */
function drawCode(context: CanvasRenderingContext2D, rows: readonly (readonly boolean[])[]): void {
  const side = 480
  const cell = Math.floor(side / rows.length)
  const [left, top] = [(SIDE - cell * rows.length) / 2, 400]
  context.fillStyle = '#fff'
  context.fillRect(left, top, cell * rows.length, cell * rows.length)
  context.fillStyle = '#000'
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(left + x * cell, top + y * cell, cell, cell)
    })
  })
}
