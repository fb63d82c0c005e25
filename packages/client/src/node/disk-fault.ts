const words: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file may not grow any more',
  EROFS: 'the disk is read-only',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  EIO: 'the disk failed',
  ENOENT: 'its folder is not there',
}

/** Describes a failed read or write by its system error code. The original message stays in `cause`. */
export function diskFault(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? 'unknown fault')
  return words[code] ?? `the disk failed (${code})`
}
