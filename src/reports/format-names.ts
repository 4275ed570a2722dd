/** The names that `--format` and `--report` take. Apart from the registry, so that help needs none of the formats. */
export const reportFormats = ['text', 'json', 'markdown', 'html', 'junit', 'sarif', 'github', 'gitlab'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Whether a word names a report format. */
export function isReportFormat(word: string): word is ReportFormat {
  return (reportFormats as readonly string[]).includes(word);
}
