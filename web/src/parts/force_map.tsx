// The graph as a picture: forces find the places, a canvas draws them, so that thousands move smoothly. Drag to move,
// wheel or + and - to zoom. The list beside it says the same to who does not see it.
import {forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type Simulation, type SimulationLinkDatum, type SimulationNodeDatum} from 'd3-force';
import {useEffect, useRef} from 'preact/hooks';
import type {GraphMap, GraphNode} from '../api';

export const LAYER_NAMES: Record<string, string> = {knowledge: 'Knowledge', reasoning: 'Decisions', task: 'Tasks'};
const CENTRES: Record<string, number> = {knowledge: -1, reasoning: 0, task: 1};

interface Dot extends SimulationNodeDatum { node: GraphNode; radius: number }
interface Edge extends SimulationLinkDatum<Dot> { kind: string }
interface Props { map: GraphMap; shown: (node: GraphNode) => boolean; chosen: GraphNode | null; choose: (node: GraphNode) => void }

// Everything that outlives a drawing; d3 owns the places.
class Picture {
  readonly dots: Dot[];
  readonly edges: Edge[];
  readonly simulation: Simulation<Dot, Edge>;
  private scale = 1;
  private x = 0;
  private y = 0;
  private moved = false;
  private frame = 0;
  hovered: Dot | null = null;
  props: Props;

  constructor(private readonly canvas: HTMLCanvasElement, props: Props) {
    this.props = props;
    const degree = new Map<number, number>();
    for (const edge of props.map.edges) for (const end of [edge.from, edge.to]) degree.set(end, (degree.get(end) ?? 0) + 1);
    const many = props.map.nodes.length > 400;
    this.dots = props.map.nodes.map((node, index) => ({node, radius: Math.min(14, (many ? 3 : 6) + Math.sqrt(degree.get(index) ?? 0))}));
    this.edges = props.map.edges.map(edge => ({source: this.dots[edge.from]!, target: this.dots[edge.to]!, kind: edge.kind}));
    const spread = 40 + 6 * Math.sqrt(this.dots.length);
    this.simulation = forceSimulation<Dot, Edge>(this.dots)
        .force('edges', forceLink<Dot, Edge>(this.edges).distance(many ? 30 : 70).strength(0.4))
        .force('apart', forceManyBody<Dot>().strength(many ? -25 : -160).theta(1).distanceMax(400))
        .force('room', forceCollide<Dot>(dot => dot.radius + 3))
        .force('x', forceX<Dot>(dot => spread * (CENTRES[dot.node.layer] ?? 0)).strength(0.07))
        .force('y', forceY<Dot>(0).strength(0.07))
        .alphaDecay(many ? 0.04 : 0.03)
        .on('tick', () => this.draw());
  }

  draw() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }

  // All of it in sight, until the reader moves it.
  private fit(width: number, height: number) {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const dot of this.dots) {
      left = Math.min(left, dot.x!); right = Math.max(right, dot.x!);
      top = Math.min(top, dot.y!); bottom = Math.max(bottom, dot.y!);
    }
    this.scale = Math.min(1.6, 0.86 * Math.min(width / Math.max(60, right - left), height / Math.max(60, bottom - top)));
    this.x = width / 2 - this.scale * (left + right) / 2;
    this.y = height / 2 - this.scale * (top + bottom) / 2;
  }

  private paint() {
    const {canvas} = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    if (!this.moved) this.fit(width, height);
    const style = getComputedStyle(canvas), colour = (name: string) => style.getPropertyValue(name).trim();
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.translate(this.x, this.y);
    context.scale(this.scale, this.scale);
    const faded = (dot: Dot) => !this.props.shown(dot.node);
    context.lineWidth = 1 / this.scale;
    for (const strong of [false, true]) {
      context.strokeStyle = colour(strong ? '--ink-soft' : '--edge');
      context.beginPath();
      for (const edge of this.edges) {
        const from = edge.source as Dot, to = edge.target as Dot;
        const near = this.props.chosen !== null && (from.node === this.props.chosen || to.node === this.props.chosen);
        if (near !== strong || faded(from) || faded(to)) continue;
        context.moveTo(from.x!, from.y!);
        context.lineTo(to.x!, to.y!);
      }
      context.stroke();
    }
    for (const layer of Object.keys(LAYER_NAMES)) {
      for (const pale of [true, false]) {
        context.globalAlpha = pale ? 0.12 : 1;
        context.fillStyle = colour(`--${layer}`);
        context.beginPath();
        for (const dot of this.dots) {
          if (dot.node.layer !== layer || faded(dot) !== pale) continue;
          // Nobody tells a disc of a few pixels from a square, and thousands of squares are drawn several times as fast.
          if (dot.radius * this.scale < 2.5) {
            context.rect(dot.x! - 0.9 * dot.radius, dot.y! - 0.9 * dot.radius, 1.8 * dot.radius, 1.8 * dot.radius);
            continue;
          }
          context.moveTo(dot.x! + dot.radius, dot.y!);
          context.arc(dot.x!, dot.y!, dot.radius, 0, 2 * Math.PI);
        }
        context.fill();
      }
    }
    context.globalAlpha = 1;
    const chosen = this.dots.find(dot => dot.node === this.props.chosen);
    if (chosen) {
      context.strokeStyle = colour('--ink');
      context.lineWidth = 2.5 / this.scale;
      context.beginPath();
      context.arc(chosen.x!, chosen.y!, chosen.radius + 3 / this.scale, 0, 2 * Math.PI);
      context.stroke();
    }
    const names = this.dots.length <= 60 || this.scale > 1.8;
    context.fillStyle = colour('--ink');
    context.strokeStyle = colour('--panel');
    context.font = `${12 / this.scale}px system-ui, sans-serif`;
    context.lineWidth = 3 / this.scale;
    context.textAlign = 'center';
    for (const dot of this.dots) {
      if (faded(dot) || !(names || dot === chosen || dot === this.hovered)) continue;
      const name = dot.node.title || dot.node.id;
      const text = name.length > 30 && dot !== this.hovered ? `${name.slice(0, 28)}…` : name;
      context.strokeText(text, dot.x!, dot.y! + dot.radius + 13 / this.scale);
      context.fillText(text, dot.x!, dot.y! + dot.radius + 13 / this.scale);
    }
  }

  at(event: {offsetX: number; offsetY: number}): Dot | null {
    const x = (event.offsetX - this.x) / this.scale, y = (event.offsetY - this.y) / this.scale;
    const dot = this.simulation.find(x, y, 20 / this.scale);
    return dot && this.props.shown(dot.node) ? dot : null;
  }

  move(dx: number, dy: number) { this.moved = true; this.x += dx; this.y += dy; this.draw(); }
  zoom(factor: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    this.moved = true;
    const next = Math.min(8, Math.max(0.05, this.scale * factor));
    this.x = x - (x - this.x) * next / this.scale;
    this.y = y - (y - this.y) * next / this.scale;
    this.scale = next;
    this.draw();
  }
  all() { this.moved = false; this.draw(); }
  end() { this.simulation.stop(); cancelAnimationFrame(this.frame); }
}

export function ForceMap(props: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  useEffect(() => {
    const element = canvas.current!, made = new Picture(element, props);
    picture.current = made;
    const observer = new ResizeObserver(() => made.draw());
    observer.observe(element);
    let from: {x: number; y: number} | null = null, dragged = false;
    const down = (event: PointerEvent) => { from = {x: event.clientX, y: event.clientY}; dragged = false; element.setPointerCapture(event.pointerId); };
    const move = (event: PointerEvent) => {
      if (from) {
        if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < 4 && !dragged) return;
        dragged = true;
        made.move(event.clientX - from.x, event.clientY - from.y);
        from = {x: event.clientX, y: event.clientY};
        return;
      }
      const over = made.at(event);
      element.style.cursor = over ? 'pointer' : 'grab';
      if (over !== made.hovered) { made.hovered = over; made.draw(); }
    };
    const up = (event: PointerEvent) => {
      if (from && !dragged) { const dot = made.at(event); if (dot) made.props.choose(dot.node); }
      from = null;
    };
    const wheel = (event: WheelEvent) => { event.preventDefault(); made.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('wheel', wheel, {passive: false});
    return () => {
      made.end();
      observer.disconnect();
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('wheel', wheel);
    };
  }, [props.map]);
  useEffect(() => { if (picture.current) { picture.current.props = props; picture.current.draw(); } });
  return <div class="force-map">
    <canvas ref={canvas} role="img" aria-label={`${props.map.nodes.length} nodes and ${props.map.edges.length} edges; the list of nodes below holds the same`}/>
    <div class="zoom"><button type="button" aria-label="Larger" onClick={() => picture.current?.zoom(1.4)}>+</button><button type="button" aria-label="Smaller" onClick={() => picture.current?.zoom(1 / 1.4)}>−</button><button type="button" onClick={() => picture.current?.all()}>All</button></div>
  </div>;
}
