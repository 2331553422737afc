//! How an item is declared, in lines.

use quote::quote;
use syn::{
    Attribute, Fields, FnArg, Generics, ImplItem, Item, ItemImpl, ItemTrait, Pat, PathArguments, Signature, TraitItem,
    Visibility,
};

use super::text::tidy;

/// Lines of an item and of what belongs to it, but for `impl` blocks.
pub fn declaration(path: &str, item: &Item) -> Vec<String> {
    match item {
        Item::Struct(item) => {
            let mut lines = fields(path, &item.fields, true);
            let private =
                if item.fields.iter().any(|field| !is_public(&field.vis)) { " with private fields" } else { "" };
            lines.push(headed(path, "struct", &item.generics, private, &item.attrs));
            lines.extend(derives(path, &item.attrs));
            lines
        }
        Item::Enum(item) => {
            let mut lines = vec![headed(path, "enum", &item.generics, "", &item.attrs)];
            lines.extend(derives(path, &item.attrs));
            for variant in &item.variants {
                let at = format!("{path}::{}", variant.ident);
                let open = if exhaustive(&variant.attrs) { "" } else { " #[non_exhaustive]" };
                let inner = match &variant.fields {
                    Fields::Unnamed(fields) => tidy(fields),
                    _ => String::new(),
                };
                lines.push(format!("{at}: variant{inner}{open}"));
                if let Fields::Named(_) = &variant.fields {
                    lines.extend(fields(&at, &variant.fields, false));
                }
            }
            lines
        }
        Item::Trait(item) => trait_lines(path, item),
        Item::Fn(item) => vec![format!("{path}: {}", function(&item.sig))],
        Item::Const(item) => vec![format!("{path}: const {} = {}", tidy(&item.ty), tidy(&item.expr))],
        Item::Static(item) => vec![format!("{path}: static {}", tidy(&item.ty))],
        Item::Type(item) => vec![format!("{path}: type{} = {}", tidy(&item.generics), tidy(&item.ty))],
        _ => Vec::new(),
    }
}

fn headed(path: &str, kind: &str, generics: &Generics, more: &str, attributes: &[Attribute]) -> String {
    let open = if exhaustive(attributes) { "" } else { " #[non_exhaustive]" };
    let bounds = generics.where_clause.as_ref().map(|clause| format!(" {}", tidy(clause))).unwrap_or_default();
    format!("{path}: {kind}{}{bounds}{more}{open}", tidy(generics))
}

fn fields(path: &str, fields: &Fields, visible_only: bool) -> Vec<String> {
    let public = fields.iter().enumerate().filter(|(_, field)| !visible_only || is_public(&field.vis));
    let line = |(number, field): (usize, &syn::Field)| {
        let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
        format!("{path}::{name}: {}", tidy(&field.ty))
    };
    public.map(line).collect()
}

fn derives(path: &str, attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // Derives that cannot be parsed do not compile either.
        let _ = attribute.parse_nested_meta(|meta| {
            lines.extend(meta.path.segments.last().map(|name| format!("{path}: impl {}", name.ident)));
            Ok(())
        });
    }
    lines
}

fn trait_lines(path: &str, item: &ItemTrait) -> Vec<String> {
    let above = &item.supertraits;
    let above = if above.is_empty() { String::new() } else { format!(": {}", tidy(above)) };
    let mut lines = vec![headed(path, "trait", &item.generics, &above, &item.attrs)];
    for inner in &item.items {
        let (name, attributes, fact) = match inner {
            TraitItem::Fn(method) => {
                let sort = if method.default.is_some() { "provided" } else { "required" };
                (&method.sig.ident, &method.attrs, format!("{sort} {}", function(&method.sig)))
            }
            TraitItem::Const(constant) => {
                let value = constant.default.as_ref().map(|(_, value)| format!(" = {}", tidy(value)));
                (&constant.ident, &constant.attrs, format!("const {}{}", tidy(&constant.ty), value.unwrap_or_default()))
            }
            TraitItem::Type(of) => {
                let bounds = if of.bounds.is_empty() { String::new() } else { format!(": {}", tidy(&of.bounds)) };
                (&of.ident, &of.attrs, format!("type{bounds}"))
            }
            _ => continue,
        };
        if !is_hidden(attributes) {
            lines.push(format!("{path}::{name}: {fact}"));
        }
    }
    lines
}

/// Lines of an `impl` block of a type: its public methods, or that it has a trait.
pub fn methods(path: &str, block: &ItemImpl) -> Vec<String> {
    let typed = block.generics.type_params().next().is_some();
    if let Some((_, of, _)) = &block.trait_ {
        let (generics, whom) =
            if typed { (tidy(&block.generics), format!(" for {}", tidy(&block.self_ty))) } else { Default::default() };
        return vec![format!("{path}: impl{generics} {}{}{whom}", last(of), types_of(block))];
    }
    // Methods of one of several types of a family say of which.
    let of = if typed || has_arguments(block) {
        format!("impl{} {} ", tidy(&block.generics), tidy(&block.self_ty))
    } else {
        String::new()
    };
    let public = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if is_public(&method.vis) && !is_hidden(&method.attrs) => {
            Some(format!("{path}::{}: {of}{}", method.sig.ident, function(&method.sig)))
        }
        ImplItem::Const(constant) if is_public(&constant.vis) => {
            Some(format!("{path}::{}: {of}const {} = {}", constant.ident, tidy(&constant.ty), tidy(&constant.expr)))
        }
        _ => None,
    });
    public.collect()
}

/// The line of a trait that has an `impl` block for a type of another crate.
pub fn foreign_implementation(path: &str, block: &ItemImpl) -> String {
    format!("{path}: impl{} for {}{}", tidy(&block.generics), tidy(&block.self_ty), types_of(block))
}

/// The types that an `impl` block of a trait settles.
fn types_of(block: &ItemImpl) -> String {
    let settled = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(of) => Some(format!(", {} = {}", of.ident, tidy(&of.ty))),
        _ => None,
    });
    settled.collect()
}

/// A path's last name with its arguments.
fn last(path: &syn::Path) -> String {
    path.segments.last().map(tidy).unwrap_or_default()
}

/// Whether the type of a block has arguments other than lifetimes.
fn has_arguments(block: &ItemImpl) -> bool {
    let syn::Type::Path(path) = &*block.self_ty else { return false };
    path.path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(inner) => {
            inner.args.iter().any(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)))
        }
        _ => false,
    })
}

/// A signature without the function's name.
fn function(signature: &Signature) -> String {
    let Signature { constness, asyncness, unsafety, abi, generics, inputs, output, .. } = signature;
    let inputs = inputs.iter().map(|input| match input {
        FnArg::Typed(argument) => {
            // How a function takes its argument apart is its own affair.
            let (of, unnamed) = (&argument.ty, quote!(_));
            let name = match &*argument.pat {
                Pat::Ident(name) => {
                    let name = &name.ident;
                    quote!(#name)
                }
                _ => unnamed,
            };
            quote!(#name: #of)
        }
        FnArg::Receiver(receiver) => {
            let mut receiver = receiver.clone();
            if receiver.reference.is_none() {
                receiver.mutability = None;
            }
            quote!(#receiver)
        }
    });
    let bounds = &generics.where_clause;
    tidy(&quote!(#constness #asyncness #unsafety #abi fn #generics(#(#inputs),*) #output #bounds))
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn exhaustive(attributes: &[Attribute]) -> bool {
    !attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"))
}

/// Whether an item is hidden from the documentation.
pub fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden")
    })
}
