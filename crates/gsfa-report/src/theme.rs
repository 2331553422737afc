//! Colours and type, once for figures and pages: CSS variables, light and dark, and paper.

/// How many colours a chart has before it repeats them; markers and dashes change as well, so colour is never alone.
pub(crate) const COLORS: usize = 8;

const LIGHT: &str = "--page:#fff;--card:#fff;--ink:#1c2126;--soft:#59636e;--line:#8a949e;--grid:#e3e7eb;--tint:#f4f6f8;\
--s0:#0072b2;--s1:#d55e00;--s2:#00875f;--s3:#b5518b;--s4:#946800;--s5:#6a4fc0;--s6:#2f95cc;--s7:#5f666d;--good:#00734f;--bad:#b34700";

const DARK: &str = "--page:#14181c;--card:#1b2025;--ink:#e8ebee;--soft:#a6b0ba;--line:#76818c;--grid:#303840;--tint:#20262c;\
--s0:#56b4e9;--s1:#ff9248;--s2:#35c999;--s3:#e59cc8;--s4:#e5b832;--s5:#b5a3ff;--s6:#9cd6ff;--s7:#b4bcc4;--good:#4cd3a5;--bad:#ffa365";

/// The classes figures use.
pub(crate) const FIGURE: &str = "\
svg.figure{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}
svg.figure text{fill:var(--ink)}
svg.figure .heading{font-size:14px;font-weight:600}
svg.figure .name{fill:var(--soft)}
svg.figure .halo{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
svg.figure .tick{fill:var(--soft);font-size:11px;font-variant-numeric:tabular-nums}
svg.figure .small{font-size:10px;font-variant-numeric:tabular-nums}
svg.figure .inverse{fill:var(--card)}
svg.figure .grid{stroke:var(--grid);stroke-width:1}
svg.figure .axis{stroke:var(--line);stroke-width:1;fill:none}
svg.figure .rule{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 4;fill:none}
svg.figure .paper{fill:var(--card)}
svg.figure .hollow{fill:var(--card)}
svg.figure .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
svg.figure .frame{fill:none;stroke:var(--grid)}
";

/// Everything a figure on its own needs: variables, classes, and stroke and fill of each colour.
pub(crate) fn figure_style() -> String {
    // `data-theme` on the root decides over the system's wish; paper is always light.
    let mut style = format!(
        ":root{{color-scheme:light dark;{LIGHT}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{DARK}}}}}\n\
         @media screen{{:root[data-theme=dark]{{{DARK}}}}}\n{FIGURE}"
    );
    for n in 0..COLORS {
        style.push_str(&format!("svg.figure .f{n}{{fill:var(--s{n})}}svg.figure .s{n}{{stroke:var(--s{n})}}\n"));
    }
    style
}

/// The page around the figures.
pub(crate) const PAGE: &str = "\
*{box-sizing:border-box}
html{background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
body{margin:0 auto;max-width:1120px;padding:2.2rem 1.4rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .8rem}
h2{font-size:1.35rem;margin:2.6rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--grid)}
p{margin:.5rem 0;max-width:46rem}
h1,h2,p,dd,figcaption{overflow-wrap:anywhere}
.summary p{font-size:1.1rem}
.highlights{display:flex;flex-wrap:wrap;gap:.8rem;margin:1.2rem 0;padding:0;list-style:none}
.highlights li{background:var(--tint);border-radius:.6rem;padding:.7rem 1rem;min-width:9rem;flex:0 1 auto}
.highlights b{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.highlights span{color:var(--soft);font-size:.85rem}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:1rem 0 0}
a{color:var(--s0)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1.2rem;margin:1rem 0;align-items:start}
.figures.three{grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}
figure{margin:0;padding:.8rem;background:var(--card);border:1px solid var(--grid);border-radius:.6rem;break-inside:avoid;min-width:0}
figure.wide{grid-column:1/-1}
svg.figure{display:block;width:100%;height:auto;margin:0 auto}
figcaption{color:var(--soft);font-size:.88rem;margin-top:.5rem}
.table{overflow-x:auto;margin:1rem 0;break-inside:avoid}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.2rem 0 .5rem;white-space:nowrap}
th,td{padding:.28rem .7rem;text-align:left;white-space:nowrap}
th{color:var(--soft);font-weight:600;vertical-align:bottom}
thead tr:last-child th{border-bottom:1.5px solid var(--line)}
th.group{text-align:center;border-bottom:1px solid var(--grid);color:var(--ink)}
td{border-bottom:1px solid var(--grid)}
.right{text-align:right}
.better{color:var(--good)}.worse{color:var(--bad)}
.note{color:var(--soft);font-size:.86rem}
pre{background:var(--tint);border-radius:.5rem;padding:.8rem 1rem;overflow-x:auto;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;font-size:.92rem}
dt{color:var(--soft)}dd{margin:0}
@media print{body{max-width:none;padding:0}nav{display:none}h2{break-after:avoid}svg.figure{max-height:20cm}.figures{grid-template-columns:1fr 1fr}.figures.three{grid-template-columns:1fr 1fr 1fr}}
";
