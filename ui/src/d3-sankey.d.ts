/** What the page uses of d3-sankey, which brings no types. */
declare module 'd3-sankey' {
  export interface PlacedNode {
    readonly x0: number;
    readonly x1: number;
    readonly y0: number;
    readonly y1: number;
  }
  export interface PlacedLink<N> {
    readonly source: N & PlacedNode;
    readonly target: N & PlacedNode;
    readonly width: number;
  }
  export interface Graph<N, L> {
    readonly nodes: readonly N[];
    readonly links: readonly (L & { readonly source: number; readonly target: number; readonly value: number })[];
  }
  export interface PlacedGraph<N, L> {
    readonly nodes: readonly (N & PlacedNode)[];
    readonly links: readonly (L & PlacedLink<N>)[];
  }
  /** Places the nodes of a graph; `null` keeps nodes and links in the order given. */
  export interface Sankey {
    <N, L>(graph: Graph<N, L>): PlacedGraph<N, L>;
    nodeWidth(width: number): this;
    nodePadding(padding: number): this;
    nodeSort(order: null): this;
    linkSort(order: null): this;
    extent(extent: readonly [readonly [number, number], readonly [number, number]]): this;
  }
  export function sankey(): Sankey;
  /** The path of a link. */
  export function sankeyLinkHorizontal(): (link: PlacedLink<PlacedNode>) => string;
}
