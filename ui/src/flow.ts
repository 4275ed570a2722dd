/** The streams of a run drawn by d3-sankey, at the width that there is. */
import { sankey, sankeyLinkHorizontal } from 'd3-sankey';
import { formatCount, formatShare } from '../../src/core/record/numbers.ts';
import { visible } from '../../src/reports/visible.ts';
import { fill, h, svg } from './dom.ts';
import type { Stream } from './streams.ts';

interface FlowNode {
  readonly name: string;
  readonly count: number;
  readonly className: string;
  readonly depth: number;
}

interface FlowGraph {
  readonly nodes: FlowNode[];
  readonly links: { readonly source: number; readonly target: number; readonly value: number; readonly className: string }[];
}

/** Every band gets this share of the height at least, so that few rows are seen beside many. */
const leastShare = 0.03;
const barWidth = 12;
const rowRoom = 40;

/** The picture, drawn anew when its width changes. What it shows is said in words beside it. */
export function flowOf(read: number, streams: readonly Stream[], label: string): HTMLElement {
  const picture = h('div', { class: 'flow', role: 'img', 'aria-label': label });
  const leaves = streams.reduce((sum, { parts }) => sum + Math.max(1, parts.length), 0);
  const height = Math.max(120, leaves * rowRoom);
  picture.style.minHeight = `${height}px`;
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.round(picture.clientWidth);
    if (width === drawn || width === 0) return;
    drawn = width;
    fill(picture, draw(graphOf(read, streams), { width, height, read }));
  }).observe(picture);
  return picture;
}

/** Heights follow the counts, except that no band is thinner than its least share; those around it grow with it. */
function graphOf(read: number, streams: readonly Stream[]): FlowGraph {
  const least = read * leastShare;
  const nodes: FlowNode[] = [{ name: 'read', count: read, className: 'read', depth: 0 }];
  const links: FlowGraph['links'] = [];
  const add = (stream: Stream, source: number, depth: number): number => {
    const target = nodes.push({ ...stream, depth }) - 1;
    const inner = stream.parts.map((part) => add(part, target, depth + 1));
    const value = Math.max(least, stream.parts.length === 0 ? stream.count : inner.reduce((sum, size) => sum + size, 0));
    links.push({ source, target, value, className: stream.className });
    return value;
  };
  for (const stream of streams) add(stream, 0, 1);
  return { nodes, links };
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly read: number;
}

function draw(graph: FlowGraph, { width, height, read }: Frame): SVGElement {
  const labelRoom = Math.min(175, width * 0.48);
  const place = sankey()
    .nodeWidth(barWidth)
    .nodePadding(14)
    .nodeSort(null)
    .linkSort(null)
    .extent([
      [1, 16],
      [width - labelRoom, height - 8],
    ]);
  const { nodes, links } = place<FlowNode, { readonly className: string }>(graph);
  const line = sankeyLinkHorizontal();
  const depth = Math.max(...nodes.map((node) => node.depth));
  const gap = (width - labelRoom) / depth;
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    links.map((link) => svg('path', { d: line(link) ?? '', class: `band ${link.className}`, 'stroke-width': Math.max(1, link.width) })),
    nodes.map((node) =>
      svg(
        'g',
        {},
        svg('rect', {
          x: node.x0,
          y: node.y0,
          width: node.x1 - node.x0,
          height: Math.max(1, node.y1 - node.y0),
          rx: 2,
          class: `node ${node.className}`,
        }),
        hidesLabel(node, { depth, gap }) ? null : labelOf(node, node.depth === 0 ? null : read),
      ),
    ),
  );
}

/** Room that the name of a bar in the middle takes. */
const nameRoom = 170;

/** Whether a bar in the middle has no room for its name; the sum below says it. */
function hidesLabel(
  node: { readonly depth: number; readonly x1: number },
  { depth, gap }: { readonly depth: number; readonly gap: number },
): boolean {
  return node.depth > 0 && node.depth < depth && node.x1 < gap * depth - 1 && gap < nameRoom;
}

/** The first bar is named above itself, the others at their right with their share of the rows that were read. */
function labelOf(
  node: FlowNode & { readonly x0: number; readonly x1: number; readonly y0: number; readonly y1: number },
  read: number | null,
): SVGElement {
  const share = read === null || read === 0 ? '' : ` ${formatShare(node.count / read)}`;
  const middle = (node.y0 + node.y1) / 2;
  return svg(
    'text',
    read === null ? { x: node.x0, y: node.y0 - 5 } : { x: node.x1 + 6, y: middle, dy: '0.35em' },
    svg('tspan', { class: 'strong' }, formatCount(node.count)),
    svg('tspan', {}, ` ${visible(node.name).slice(0, 40)}`),
    svg('tspan', { class: 'soft' }, share),
  );
}
