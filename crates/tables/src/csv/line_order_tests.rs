#![allow(clippy::unwrap_used, reason = "tests")]

use crate::{CsvCurves, CurveBatch, CurveLayout, CurveSource, Decimal, Missing, TableError};

/// Bits of all values, all ids, and what is said of missing cells.
type Said = (Vec<u64>, Vec<Vec<u8>>, String);

fn read(file: &str, layout: &CurveLayout) -> Result<Said, TableError> {
    let mut curves = CsvCurves::new(file.as_bytes(), layout)?;
    let (mut batch, mut values, mut ids) = (CurveBatch::new(), Vec::new(), Vec::new());
    while curves.read(&mut batch)? {
        values.extend(batch.values().iter().map(|value| value.to_bits()));
        ids.extend((0..batch.len()).map_while(|row| batch.subject(row)).map(<[u8]>::to_vec));
    }
    let missing = curves.missing_cells();
    Ok((values, ids, format!("{} {:?}", missing.share(), missing.iter().collect::<Vec<_>>())))
}

/// The same table with quotation marks in every line, which is split before its cells are read.
fn quoted(file: &str, separator: char) -> String {
    let line = |line: &str| {
        let cells: Vec<String> = line.split(separator).map(|cell| format!("\"{cell}\"")).collect();
        cells.join(&separator.to_string()) + "\n"
    };
    file.lines().map(line).collect()
}

#[test]
fn lines_that_are_gone_through_once_say_what_split_lines_say() {
    let layout = CurveLayout::new("v*").unwrap().subject("id");
    let semicolons = layout.clone().separated_by(";".parse().unwrap()).decimal(Decimal::Comma);
    let codes = layout.clone().missing(Missing::new("-999,7").unwrap());
    let files = [
        (
            "v1,id,x,v2\n0.25,a,1,-3\n.5,b,,1e-3\n,c,zz,NA\n-1000,d,0,12345678901234567.25\n0.1234567890123456789,e,-,5.\n",
            &layout,
        ),
        ("id,v1,v2,x\n1,0.1, 0.2 ,\n01,-.5,+1,q\n1.0,1.25,missing,\"\n", &layout),
        ("id,v1,v2\na,-999,7\nb,-999.0,7.0\nc,1,2\n", &codes),
        ("id,v1,v2\na,-999,7\n", &layout),
        ("id,v1,v2\na,1,x\n", &layout),
        ("id,v1,v2\na,1\n", &layout),
        ("id,v1,v2\na,1,2,3\n", &layout),
        ("id,v1,v2\na,1,\n", &layout),
        ("id,v1,v2\n,1,2\n", &layout),
        ("id,v1,v2\ntotal,1,2\n", &layout),
        ("id,v1,v2\na,1..2,3\n", &layout),
        ("id,v1,v2\na,1e200,3\n", &layout),
        ("id,v1,v2\na,inf,3\n", &layout),
        ("v2,id,v1\n0.25,a,1\n", &layout),
    ];
    for (file, layout) in files {
        let of = |text: &str| read(text, layout).map_err(|error| error.to_string());
        assert_eq!(of(file), of(&quoted(file, ',')), "{file}");
    }
    let file = "id;v1;v2\na;0,25;-3\nb;1,5e-1;\n";
    assert_eq!(read(file, &semicolons).unwrap(), read(&quoted(file, ';'), &semicolons).unwrap());
}
