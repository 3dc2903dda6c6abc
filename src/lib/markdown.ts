// Tables in Markdown, whatever their cells say.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

function escaped(cell: string): string {
  return cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
